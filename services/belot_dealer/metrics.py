"""The dealer's own Prometheus metrics; labels are few and closed, and nothing here names a match."""

from prometheus_client import Counter, Gauge

RELAY_TRIES = Counter(
    "belot_dealer_relay_tries_total",
    "Tries to get a beacon from a relay, by operator and outcome.",
    ("operator", "outcome"),
)
CLOCK_OFFSET = Gauge(
    "belot_dealer_clock_offset_seconds",
    "Our clock minus the time of the newest verified round; about 0.2 to 4.5 is sound.",
)
CLOCK_ALARMS = Counter("belot_dealer_clock_alarms_total", "Checks that found our clock off.")
STEPS = Counter("belot_dealer_steps_total", "Steps written to transcripts, by kind of event.", ("kind",))
LOST_RACES = Counter("belot_dealer_lost_races_total", "Writes that came after another replica's.")
REPORTS = Counter(
    "belot_dealer_fairness_reports_total", "Reports of clients that found a deal wrong, repeated ones included."
)
