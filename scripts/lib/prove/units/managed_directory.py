"""`managed_directory`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

SETS = (
    "2x4x2x1,TAG_W=2,RRPV_W=1,PSEL_W=2",
    "2x4x2x1,TAG_W=3,RRPV_W=2,PSEL_W=3",
    "2x8x3x1,TAG_W=2,RRPV_W=2,PSEL_W=2",
    "3x4x2x1,TAG_W=2,RRPV_W=2,PSEL_W=2",
)


def _inside(parameters):
    """The words of both RAMs, what was read of them, the flops of an access, and the reference's."""
    ways, sets, applications, tag_w, rrpv_w = (
        parameters[name] for name in ("WAYS", "SETS", "APPLICATIONS", "TAG_W", "RRPV_W")
    )
    way_w, app_w = max(1, (ways - 1).bit_length()), max(1, (applications - 1).bit_length())
    set_w, word_w = (sets - 1).bit_length(), ways * (way_w + app_w + rrpv_w + 1)
    tags = [f"dut.tag_{way}[{index}]" for way in range(ways) for index in range(sets)]
    flops = {
        "sweeping": 1,
        "sweep_set": set_w,
        "lookup_valid": 1,
        "lookup_invalidate": 1,
        "lookup_set": set_w,
        "lookup_tag": tag_w,
        "lookup_app": app_w,
        "lookup_pol1": 1,
        "lookup_pol2": 1,
        "forward": 1,
        "written_word": word_w,
        "stale": ways,
        "written_tag": tag_w,
    }
    lines = sets * ways
    reference = {
        "ways": lines * way_w,
        "owners": lines * app_w,
        "tags": lines * tag_w,
        "rrpvs": lines * rrpv_w,
        "valids": lines,
        "left": set_w + 1,
        "asked": 1,
        "gone": 1,
        "set": set_w,
        "tag": tag_w,
        "app": app_w,
        "pol1": 1,
        "pol2": 1,
    }
    return [
        ("words", word_w, [f"dut.replacement[{index}]" for index in range(sets)]),
        ("word_read", word_w, ["dut.replacement_read_data"]),
        ("tags_of", tag_w, tags),
        ("tags_read", tag_w, [f"dut.tag_{way}_read_data" for way in range(ways)]),
        ("lfsr", 31, ["dut.drrip.lfsr"]),
        ("ref_lfsr", 31, ["ref.drrip.lfsr"]),
        *((name, width, [f"dut.{name}"]) for name, width in flops.items()),
        *((f"ref_{name}", width, [f"ref.{name}"]) for name, width in reference.items()),
    ]


PROOFS = (
    Proof(
        "managed_directory",
        "equal",
        EQUAL
        + "; the RAMs hold its lists of lines: each way and each line once, in the order of last use, "
        "invalid ways at the bottom",
        SETS,
        INDUCTION,
        reference=True,
        facts=("listed", "ordered", "blank", "read", "asked", "told"),
        files=("managed_directory_lists",),
        inside=_inside,
        words=True,
    ),
)

FAULTS = (
    # A set that follows itself is read as it was.
    Fault("managed_directory", "equal", SETS[0], "lost write: forward"),
    # A line that has just come is not found.
    Fault("managed_directory", "equal", SETS[0], "lost write: stale"),
    # Quotas are not looked at.
    Fault("managed_directory", "equal", SETS[0], "stuck input: bit 0 of policy at 0"),
    # A core that bypasses the cache fills it.
    Fault("managed_directory", "equal", SETS[0], "stuck bit: bit 0 of lookup_pol1 at 0"),
    # An invalidated line stays.
    Fault("managed_directory", "equal", SETS[0], "stuck bit: bit 0 of lookup_invalidate at 0"),
)
