"""`shadow_stack`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

SETS = (
    "2x2x2,TAG_W=1",
    "2x2x2,TAG_W=2",
    "2x2x2l2,TAG_W=2",
    "3x2x2,TAG_W=2",
    "2x3x2,TAG_W=2",
)


def _inside(parameters):
    """The words of the stacks in order of places, what was read, and the flops of a search."""
    ways, kernels, stacks, tag_w, lanes = (
        parameters[name] for name in ("WAYS", "KERNELS", "STACKS", "TAG_W", "LANES")
    )
    rows = -(-ways * kernels // lanes)
    row_w = (rows - 1).bit_length()
    kid_w, pos_w = max(1, (kernels - 1).bit_length()), ways.bit_length()
    line_w, stack_w = tag_w + kid_w + 1, (stacks - 1).bit_length()
    words = [
        f"dut.place_{lane}[{(stack << row_w) + row}]"
        for stack in range(stacks)
        for row in range(rows)
        for lane in range(lanes)
    ]
    flops = {
        "sweeping": 1,
        "sweep_address": stack_w + row_w,
        "busy": 1,
        "stack_": stack_w,
        "tag": tag_w,
        "kid": kid_w,
        "row": row_w,
        "searches": 1,
        "carries": 1,
        "carried": line_w,
        "own_above": pos_w,
        "done_register": 1,
        "shared": 1,
    }
    return [
        ("places", line_w, words),
        ("row_read", line_w, [f"dut.place_{lane}_read_data" for lane in range(lanes)]),
        ("above", pos_w, [f"dut.above_{kernel}" for kernel in range(kernels)]),
        *((name.rstrip("_"), width, [f"dut.{name}"]) for name, width in flops.items()),
    ]


PROOFS = (
    Proof(
        "shadow_stack",
        "equal",
        EQUAL
        + "; between searches each stack is its list in the order of last use, with no line twice and "
        "at most W of a kernel",
        SETS,
        INDUCTION,
        reference=True,
        reference_state=(
            "ref_held",
            "ref_kids",
            "ref_tags",
            "ref_left",
            "ref_asked",
            "ref_asker",
            "ref_again",
            "ref_shared",
            "ref_above",
        ),
        facts=("read", "listed", "most", "once", "told"),
        consequences=("kept",),
        files=("shadow_stack_search",),
        inside=_inside,
        words=True,
    ),
)

FAULTS = (
    Fault("shadow_stack", "equal", SETS[0], "stuck input: bit 0 of access_tag at 1"),
    # A kernel would keep a line more, or lose one too early.
    Fault("shadow_stack", "equal", SETS[1], "lost write: own_above"),
    # The order of lines.
    Fault("shadow_stack", "equal", SETS[2], "stuck bit: bit 0 of carries at 0"),
    # A line would stay where it was used, and be twice in its stack.
    Fault("shadow_stack", "equal", SETS[4], "lost write: carries"),
    # A word is cleared that is in use.
    Fault("shadow_stack", "equal", SETS[3], "stuck bit: bit 0 of row at 0"),
)
