"""The rating service's own Prometheus metrics; labels are few and closed, and nothing here names a match."""

from prometheus_client import Counter

RESULTS = Counter(
    "belot_rating_results_total", "Results that were delivered: new, known, differs, malformed.", ("outcome",)
)
