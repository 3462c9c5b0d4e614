"""`lru_stack`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

STACKS = ("small", "figure-2", "table-1", "3x3")

PROOFS = (
    Proof(
        "lru_stack",
        "order",
        "the stack is a permutation, the invalid ways at the bottom",
        STACKS,
        INDUCTION,
        facts=("order",),
        # With two kernels each number is one.
        faulty="3x3",
    ),
    Proof(
        "lru_stack",
        "equal",
        EQUAL + " that keeps ages",
        STACKS,
        INDUCTION,
        reference=True,
        reference_state=("way_age", "way_owner", "way_valid"),
        facts=("order", "ages"),
    ),
)

FAULTS = (
    Fault("lru_stack", "order", "figure-2", "stuck net: bit 3 of Mux of update.next_valid at 1"),
    Fault("lru_stack", "order", "figure-2", "swapped operands: Mux of update.new_way[3]"),
    Fault("lru_stack", "equal", "figure-2", "lost write: owner[0]"),
)
