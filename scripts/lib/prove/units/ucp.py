"""`ucp`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

SMALL = ("4x2,CNT_W=2,XS_W=2", "4x2,CNT_W=3,XS_W=1", "5x3,CNT_W=2,XS_W=2", "3x3,CNT_W=2,XS_W=1")
SHARES = ("small", "5x3", "16x3", "table-1")
# Of a real size, and small ones of odd numbers, in which also faults are looked for.
CHOSEN = (
    *("4x2,CNT_W=2,XS_W=2", "7x3,CNT_W=3,XS_W=2"),
    *(f"{ways}x{applications}" for ways in (16, 32) for applications in (2, 3, 4, 5)),
)


def _registers(parameters):
    applications = range(parameters["APPLICATIONS"])
    pos_w = parameters["WAYS"].bit_length()
    app_w = max(1, (parameters["APPLICATIONS"] - 1).bit_length())
    way_w = max(1, (parameters["WAYS"] - 1).bit_length())
    widths = {
        "balance": pos_w,
        "asking": 1,
        "application": app_w,
        "blocks": pos_w,
        "answering": 1,
        "answering_last": 1,
        "answering_application": app_w,
        "answering_blocks": pos_w,
        "comparing": 1,
        "comparing_last": 1,
        "comparing_application": app_w,
        "comparing_blocks": pos_w,
        "sum": parameters["CNT_W"] + way_w,
        "cost": parameters["XS_W"] + way_w,
        "found": 1,
        "best_application": app_w,
        "best_blocks": pos_w,
        "best_sum": parameters["CNT_W"] + way_w,
        "best_cost": parameters["XS_W"] + way_w,
        "deciding": 1,
    }
    arrays = {"mask": 1, "ratio": parameters["XS_W"], "allocation": pos_w}
    return [
        *((name, width, [f"dut.{name}"]) for name, width in widths.items()),
        *((name, width, [f"dut.{name}_{i}" for i in applications]) for name, width in arrays.items()),
    ]


def _multipliers(parameters):
    width = parameters["CNT_W"] + parameters["XS_W"] + 2 * (parameters["WAYS"] - 1).bit_length()
    products = [(f"{name}_product", width, [f"dut.{name}.product"]) for name in ("ours", "theirs")]
    factors = ("sum", "cost", "best_sum", "best_cost")
    return [*products, *(signal for signal in _registers(parameters) if signal[0] in factors)]


def _watched(parameters):
    """A candidate, and products that are not the unit's."""
    product_w = _multipliers(parameters)[0][1]
    return [
        ("any_application", max(1, (parameters["APPLICATIONS"] - 1).bit_length())),
        ("any_ways", parameters["WAYS"].bit_length()),
        ("any_products", 4 * product_w),
    ]


PROOFS = (
    Proof(
        "ucp",
        "equal",
        EQUAL + " that works each utility out from the counters of the round",
        SMALL,
        INDUCTION,
        reference=True,
        reference_state=(
            "naive_cycle",
            "naive_done",
            "naive_quota",
            "naive_balance",
            "naive_allocation",
            "naive_mask",
            "naive_ratio",
            "naive_found",
            "naive_best_application",
            "naive_best_blocks",
            "naive_best_sum",
            "naive_best_cost",
            "naive_sum",
        ),
        facts=("shares", "timely", "steps", "same"),
        files=("ucp_steps", "ucp_same"),
        inside=_registers,
    ),
    Proof(
        "ucp",
        "shares",
        "quotas are at least one way each and all ways together; they are new at the latest "
        "2 + A B (B + 1) / 2 + 3 B cycles after a start, and change at no other time",
        SHARES,
        INDUCTION,
        facts=("shares", "timely", "steps"),
        files=("ucp_steps",),
        inside=_registers,
    ),
    Proof(
        "ucp",
        "masked",
        "an application whose UCP-Mask is set gets one way, and never a second one",
        SHARES,
        INDUCTION,
        facts=("shares", "timely", "steps", "masked"),
        files=("ucp_steps", "ucp_masked"),
        inside=_registers,
    ),
    Proof(
        "ucp",
        "chosen",
        "each round gives its ways to the highest hits per way of all applications and numbers of "
        "ways, of equal ones to the lower id and the fewest ways, and quotas are what the rounds have "
        "given; whatever its multipliers are, if products order quotients",
        CHOSEN,
        INDUCTION,
        facts=("shares", "timely", "steps", "chosen"),
        lemmas=("multiplies",),
        files=("ucp_steps", "ucp_watched", "ucp_multiplies", "ucp_chosen"),
        inside=_registers,
        free=_watched,
        cut="ours,theirs",
    ),
    Proof(
        "ucp",
        "products",
        "its multipliers multiply",
        ("small", "5x3", "16x3", "16x4", "table-1", "large"),
        INDUCTION,
        consequences=("products",),
        inside=_multipliers,
    ),
)

FAULTS = (
    Fault("ucp", "equal", SMALL[0], "swapped operands: Mux of best_cost.d"),
    Fault("ucp", "equal", SMALL[0], "lost write: sum"),
    Fault("ucp", "equal", SMALL[0], "stuck input: bit 2 of xsratio at 1"),
    Fault("ucp", "shares", "small", "lost write: balance"),
    Fault("ucp", "shares", "small", "wrong operation: Eq of last_blocks"),
    Fault("ucp", "shares", "small", "stuck bit: bit 0 of found at 0"),
    Fault("ucp", "masked", "small", "swapped operands: Mux of masked", claim="masked"),
    # Of equal utilities the later one; the lower one.
    Fault("ucp", "chosen", CHOSEN[0], "wrong operation: Less of higher"),
    Fault("ucp", "chosen", CHOSEN[0], "swapped operands: Less of higher"),
    # Another number is compared than is kept.
    Fault("ucp", "chosen", CHOSEN[0], "lost write: best_cost"),
    Fault("ucp", "chosen", CHOSEN[0], "swapped operands: Mux of best_sum"),
    # Sums of an application go on in the next one.
    Fault("ucp", "chosen", CHOSEN[0], "swapped operands: Mux of fewer_sum"),
    Fault("ucp", "products", "small", "off by one: Add of ours.product"),
    Fault("ucp", "products", "small", "off by one: Add of theirs.product"),
)
