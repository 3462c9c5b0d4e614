"""`llc_monitor`."""

from ..proof import REACHABILITY, Proof

# Small, since a reset leaves the memories as they are, and a bound on what they may hold is needed.
# Evictions need more tags than ways; with them the counters of demotions take too long.
LINES = (
    "2x2x2x1,TAG_W=2,CNT_W=2,STAGES=0,REQUESTERS=1",
    "2x2x2x1,TAG_W=1,CNT_W=2,STAGES=0,REQUESTERS=1,RAM_STAGES=1",
)
SMALL = ("2x2x2x1,TAG_W=1,CNT_W=2,STAGES=0,REQUESTERS=1",)
TOLD = ("2x2x2x1,TAG_W=2,CNT_W=2,STAGES=1,REQUESTERS=1",)

PROOFS = (
    Proof(
        "llc_monitor",
        "lines",
        "what it tells of each access equals that of a naive reference that keeps tags, ages and owners",
        LINES,
        REACHABILITY,
        reference=True,
        compared=(
            "ready", "done_valid", "done_hit", "done_way", "done_evict", "done_owner", "mapped_kid",
        ),
    ),
    Proof(
        "llc_monitor",
        "counters",
        "the counters, as they are read, equal those of the same reference",
        SMALL,
        REACHABILITY,
        reference=True,
        compared=("read_count", "read_overflow", "sequence_number"),
    ),
    Proof(
        "llc_monitor",
        "marks",
        "the marks of full counters equal those of the same reference",
        SMALL,
        REACHABILITY,
        reference=True,
        compared=("overflow_gdc", "overflow_access"),
    ),
    Proof(
        "llc_monitor",
        "counted",
        "the marks of full counters of evictions, hits and misses follow from what it tells of each access",
        TOLD,
        REACHABILITY,
        facts=("counted",),
        references=("delay", "counter_matrix", "plob"),
    ),
)

FAULTS = ()
