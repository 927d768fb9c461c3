"""The chassis' own Prometheus metrics. Names begin with ``belot_``, times are in seconds, labels are few and closed."""

from prometheus_client import Counter, Gauge, Histogram

_FAST = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.5, 5.0)

RPC_SECONDS = Histogram("belot_rpc_seconds", "Time an rpc took at its server.", ("method", "code"), buckets=_FAST)
RPC_OPEN = Gauge("belot_rpc_open", "Rpcs running at this server.", ("method",))
REFUSALS = Counter("belot_refusals_total", "Refused calls and batch items by reason.", ("method", "reason"))
INNER_BATCH_ITEMS = Histogram(
    "belot_inner_batch_items", "Items in one message of an inner stream.", ("stream",), buckets=(1, 2, 4, 8, 16, 32, 64)
)
INNER_RECONNECTS = Counter("belot_inner_reconnects_total", "Inner streams opened again.", ("stream",))
COMMIT_BATCH_ITEMS = Histogram(
    "belot_commit_batch_items", "Commits in one statement.", ("committer",), buckets=(1, 2, 4, 8, 16, 32, 64)
)
COMMIT_SECONDS = Histogram("belot_commit_seconds", "Time one group commit took.", ("committer",), buckets=_FAST)
COMMIT_FALLBACKS = Counter(
    "belot_commit_fallbacks_total", "Batches committed one by one after an error.", ("committer",)
)
TIMERS_FIRED = Counter("belot_timers_fired_total", "Timers fired, from memory or by the scan.", ("source",))
TIMER_FAILURES = Counter("belot_timer_failures_total", "Timers whose firing failed; the scan tries again.")
OUTBOX_PUBLISHED = Counter("belot_outbox_published_total", "Outbox rows published by the relay.", ("outbox",))
OUTBOX_FAILURES = Counter("belot_outbox_failures_total", "Rounds of the relay that failed.", ("outbox",))
LOOP_LAG_SECONDS = Histogram("belot_loop_lag_seconds", "How late the event loop runs what is due.", buckets=_FAST)
GC_PAUSE_SECONDS = Histogram(
    "belot_gc_pause_seconds", "Pauses of the garbage collector.", ("generation",), buckets=_FAST
)
