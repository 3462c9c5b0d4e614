"""Faults in exported Verilog, at least one a proof, that it must find."""

from dataclasses import dataclass

from .design import Design
from .tools import ProofError


@dataclass(frozen=True)
class Mutant:
    """Text that is replaced once."""

    unit: str
    proof: str
    what: str
    # The module that it is in, without its parameters.
    module: str
    old: str
    new: str
    set: str = "figure-2"

    def apply(self, design: Design):
        """Changes the exported file."""
        prefix = self.module + "_"
        names = (self.module + ".v", prefix)
        files = [file for file in design.sources if file.name.startswith(names)]
        texts = [(file, file.read_text()) for file in files]
        found = [(file, text) for file, text in texts if self.old in text]
        if len(found) != 1:
            where = f"{self.unit} {design.set}, module {self.module}"
            raise ProofError(f"{where}: no '{self.old}' to mutate: adapt {__file__}")
        file, text = found[0]
        file.write_text(text.replace(self.old, self.new, 1))


MUTANTS = (
    Mutant("popcnt", "equal", "a sum is an or", "popcnt", " ^ ", " | ", "table-1"),
    Mutant("popcnt", "equal", "two bits count three", "count6", "sum_0 ^ sum_1", "sum_0 | sum_1"),
    Mutant("demotion", "equal", "the line hit is demoted, too", "demotion", " > ", " >= "),
    Mutant("kid_demux", "equal", "a lane without enable", "kid_demux", "enable & (", "enable | ("),
    Mutant(
        "counter_matrix",
        "equal",
        "an increment beside a snapshot continues the old count",
        "counter_matrix",
        "count_0_0 <= {18'd0, opening_v1};",
        "count_0_0 <= sum_v1[20:0];",
    ),
    Mutant(
        "counter_matrix",
        "conserved",
        "an increment beside a snapshot is lost",
        "counter_matrix",
        "count_0_1 <= {18'd0, opening_v2};",
        "count_0_1 <= 21'd0;",
    ),
    Mutant(
        "counter_matrix",
        "conserved",
        "a counter is not cleared by a snapshot",
        "counter_matrix",
        "count_0_2 <= {18'd0, opening_v3};",
        "",
    ),
    Mutant(
        "counter_matrix",
        "conserved",
        "a live read is of the last period",
        "counter_matrix",
        " = count_0_0;",
        " = shadow_0_0;",
    ),
    Mutant(
        "counter_matrix",
        "marked",
        "reaching the limit is marked",
        "counter_matrix",
        "inc_demux_lane[0] & sum_v1[21]",
        "inc_demux_lane[0] & (sum_v1[21] | &sum_v1[20:0])",
    ),
    Mutant(
        "counter_matrix",
        "marked",
        "a mark does not stay",
        "counter_matrix",
        "passed_0[0] | (inc_demux_lane",
        "(inc_demux_lane",
    ),
    Mutant(
        "gdcu",
        "equal",
        "a position is counted for its neighbour's owner",
        "gdcu",
        ".select(stack_owner[3:2])",
        ".select(stack_owner[1:0])",
    ),
    Mutant(
        "plob",
        "equal",
        "a hit evicts, too",
        "plob",
        " & ~access_hit",
        "",
        "small",
    ),
    Mutant("gdcu", "counted", "two lines count as three", "count6", "sum_0 ^ sum_1", "sum_0 | sum_1"),
    Mutant(
        "lru_stack",
        "order",
        "a hit moves the wrong positions",
        "lru_update",
        "passed | access_at",
        "passed & access_at",
    ),
    Mutant(
        "lru_stack",
        "order",
        "an invalidated way stays valid",
        "lru_update",
        "next_valid[3] = 1'b0;",
        "next_valid[3] = 1'b1;",
    ),
    Mutant(
        "lru_stack",
        "equal",
        "a hit does not change the owner",
        "lru_update",
        "new_owner_0 = access_kid;",
        "new_owner_0 = access_hit ? owner_0 : access_kid;",
    ),
    Mutant(
        "milg",
        "equal",
        "the quotient is inverted",
        "milg",
        "fits = ~difference",
        "fits = difference",
        "small",
    ),
    Mutant(
        "milg",
        "equal",
        "the peak misses an issue in the closing cycle",
        "milg",
        "shift <= high;",
        "shift <= peak;",
        "small",
    ),
    Mutant(
        "milg",
        "safe",
        "a limit of 0",
        "milg",
        "limit_register <= 2'd1;",
        "limit_register <= 2'd0;",
        "small",
    ),
    Mutant(
        "milg",
        "safe",
        "the peak restarts from 0",
        "milg",
        "peak <= counter_next_count;",
        "peak <= 2'd0;",
        "small",
    ),
    Mutant(
        "milg",
        "safe",
        "the gate opens at the limit",
        "milg",
        "counter_count < limit",
        "counter_count <= limit",
        "small",
    ),
    Mutant(
        "smil",
        "equal",
        "no limit and a limit change places",
        "smil",
        "if (set_unlimited)",
        "if (~set_unlimited)",
        "small",
    ),
    Mutant(
        "smil",
        "safe",
        "an issue beside a completion counts alone",
        "in_flight",
        "if (issue & ~complete)",
        "if (issue)",
        "small",
    ),
    Mutant(
        "rbmi",
        "equal",
        "a kernel follows itself",
        "rbmi",
        "last < 2'd1",
        "last <= 2'd1",
        "three",
    ),
    Mutant(
        "rbmi",
        "fair",
        "the turn does not move on",
        "rbmi",
        "last <= grant_kid;",
        "last <= last;",
        "three",
    ),
    Mutant(
        "quota_unit",
        "timed",
        "a set comes a cycle early",
        "quota_unit",
        "left <= 4'd8;",
        "left <= 4'd7;",
        "small",
    ),
    Mutant(
        "quota_unit",
        "defined",
        "3 is multiplied as 2",
        "quota_unit",
        "addend_bits = 4'd8",
        "addend_bits = 4'd0",
        "small",
    ),
    Mutant(
        "quota_unit",
        "defined",
        "a kernel lacks what another has",
        "quota_unit",
        "multiple & ~powers_0",
        "multiple & ~powers_1",
        "small",
    ),
    Mutant(
        "qbmi",
        "credit",
        "a quota that is used up stays so",
        "qbmi",
        "current_0 <= {1'b0, unit_quota[2:0]};",
        "current_0 <= 4'd0;",
        "small",
    ),
    Mutant(
        "qbmi",
        "credit",
        "an inactive kernel is granted",
        "qbmi",
        "ready & active_register",
        "ready",
        "small",
    ),
    Mutant(
        "qbmi",
        "waiting",
        "only the winner is refilled",
        "qbmi",
        "current_1 <= refilled;",
        "current_1 <= current_1;",
        "small",
    ),
    Mutant(
        "qbmi",
        "fresh",
        "a ratio that comes while a set is made is forgotten",
        "qbmi",
        " | (dirty & ~starts)",
        "",
        "small",
    ),
    Mutant(
        "mem_issue",
        "gated",
        "the limit is ignored",
        "mem_issue",
        "active_register & allowed",
        "active_register",
        "small",
    ),
)
