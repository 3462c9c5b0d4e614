"""`mem_issue`."""

from ..faults import Fault
from ..proof import INDUCTION, Proof

CORES = ("small", "table-1", "2-smil-rbmi", "three", "3-milgd-qbmic", "4-milg-qbmi", "8-smil-rbmi")


def _scheduled(parameters):
    path = "dut.qbmi_0.active_register" if parameters["PRIORITY"] else "dut.active_register"
    return [("scheduled", parameters["KERNELS"], [path])]


PROOFS = (
    Proof(
        "mem_issue",
        "gated",
        "a grant goes to a kernel that wants it, is active and below its limit, to one at most; "
        "if there is one, it does",
        CORES,
        INDUCTION,
        facts=("gated",),
        inside=_scheduled,
    ),
)

FAULTS = (
    Fault("mem_issue", "gated", "small", "wrong operation: Less of milg[1].allow"),
    Fault("mem_issue", "gated", "small", "stuck input: bit 0 of lsu_ready at 1"),
)
