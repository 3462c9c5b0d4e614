"""Rationale: numbers of a table are believed. Each step from a netlist to them that is this
code's own is held to values worked out by hand, or to what OpenSTA says itself; and what it does
not understand must stop it, not be left out. The whole way from a unit to its record, and broken
gates, are tested in testbench/tests/asic.rs."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
LIB = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(LIB))

from asic import activity, flow, library, netlist, records, sta, table, tools  # noqa: E402

# A netlist in Yosys's writing: one NAND2 into a flop, whose output is a bit of a port.
GATES = """\
module top(clock, a, q);
  wire _0_;
  input clock;
  input [1:0] a;
  output [1:0] q;
  wire [1:0] q;
  NAND2X1 _1_ (
    .A(a[0]),
    .B(\\inner.node [1]),
    .Y(_0_)
  );
  DFFPOSX1 _2_ (
    .CLK(clock),
    .D(_0_),
    .Q(q[0])
  );
endmodule
"""

# Rises at 10, 20, 30 and 40. `n` settles to 0 1 1 0 and has a pulse in the second half of the
# third cycle's first phase; `v` is x, then 01, 10, 10; `late` changes with the last edge only.
WAVE = """\
$scope module tb $end
$var reg 1 c clock $end
$scope module dut $end
$var wire 1 n n $end
$var wire 2 v \\deep.v [1:0] $end
$var wire 1 l late $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0c
0n
bx v
0l
$end
#10
1c
#15
0c
1n
b1 v
#20
1c
#22
0n
#25
0c
1n
b10 v
#30
1c
#35
0c
0n
#40
1c
1l
#45
0c
"""


class Reading(unittest.TestCase):
    """Netlists and waves."""

    def test_a_netlist_is_read_with_the_nets_as_waves_name_them(self):
        gates = netlist.read(GATES)
        self.assertEqual([gate.kind for gate in gates], ["NAND2X1", "DFFPOSX1"])
        self.assertEqual(gates[0].pins, (("A", "a [0]"), ("B", "inner.node [1]"), ("Y", "_0_")))
        self.assertEqual(gates[1].outputs(), [("Q", "q [0]")])

    def test_a_cell_that_is_not_understood_is_an_error(self):
        named = GATES.replace("_2_ (", "\\named  (")
        for broken in (named, GATES.replace("    .D(_0_),\n", "?\n")):
            with self.assertRaisesRegex(tools.GateError, "2 cells, but 1"):
                netlist.read(broken)

    def test_changes_are_counted_once_a_cycle_when_settled(self):
        measured = activity.measure(iter(WAVE.splitlines(keepends=True)))
        self.assertEqual(set(measured), {"n", "deep.v [0]", "deep.v [1]", "late"})
        # 0 1 1 0: two changes in four cycles, two of them at 1. The pulse is none.
        self.assertEqual(measured["n"], (0.5, 0.5))
        # From X is no change: x 1 0 0 and x 0 1 1.
        self.assertEqual(measured["deep.v [0]"], (0.25, 0.25))
        self.assertEqual(measured["deep.v [1]"], (0.25, 0.5))
        self.assertEqual(measured["late"], (0, 0))

    def test_a_wave_without_clock_or_netlist_is_an_error(self):
        for broken in (
            WAVE.replace("clock", "clk"),
            WAVE.replace("module dut", "module dut $end\n$scope module deeper"),
            WAVE.split("#10")[0],
        ):
            with self.assertRaisesRegex(tools.GateError, "wave of the gate-level netlist"):
                activity.measure(iter(broken.splitlines(keepends=True)))


class Judging(unittest.TestCase):
    """Area, timing, power."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        text = GATES.replace("\\inner.node [1]", "a[1]")
        (self.folder / "gates.v").write_text(text)
        self.gates = netlist.read(text)

    def analysed(self, more="", clock="clock"):
        script = sta.script("gates.v", "top", clock, 5.0)
        return sta.analyse(self.folder, script + more)

    def test_areas_are_the_librarys(self):
        self.assertEqual(library.areas()["NAND2X1"], 24)
        self.assertEqual(library.areas()["DFFPOSX1"], 96)

    def test_power_is_what_opensta_says_itself_at_one_activity_for_all(self):
        said = self.analysed(
            "set_power_activity -global -activity 0.3 -duty 0.5\nputs own\n"
            "report_power -digits 6\n"
        )
        measured = {"_0_": (0.3, 0.5), "q [0]": (0.3, 0.5)}
        ours = sta.power(said.split("own\n")[0], self.gates, measured)
        lines = said.split("own\n")[1].splitlines()
        total = next(line.split() for line in lines if line.startswith("Total "))
        for kind, value in zip(("internal", "switching", "leakage", "total"), total[1:]):
            self.assertAlmostEqual(ours[kind] / (float(value) * 1e3), 1, places=4, msg=kind)
        self.assertGreater(ours["switching"], 0)
        # The clock's part stays, each cell's own follows what it drives.
        still = sta.power(said.split("own\n")[0], self.gates, dict.fromkeys(measured, (0, 0)))
        self.assertLess(still["switching"], ours["switching"] / 1000)
        self.assertGreater(still["internal"], 0)

    def test_a_net_without_activity_is_an_error(self):
        said = self.analysed()
        with self.assertRaisesRegex(tools.GateError, "DFFPOSX1 _2_"):
            sta.power(said, self.gates, {"_0_": (0.3, 0.5)})
        with self.assertRaisesRegex(tools.GateError, "2 cells, expected 1"):
            sta.power(said, self.gates[:1], {"_0_": (0.3, 0.5)})

    def test_slack_follows_the_period(self):
        slack = sta.worst_slack(self.analysed())
        said = sta.analyse(self.folder, sta.script("gates.v", "top", "clock", 7.5))
        self.assertAlmostEqual(sta.worst_slack(said) - slack, 2.5, places=3)
        self.assertTrue(0 < slack < 5)

    def test_what_opensta_warns_of_or_refuses_is_an_error(self):
        for script in ("nonsense", "set_load 1 [get_ports nowhere]", "read_liberty nowhere.lib"):
            with self.assertRaisesRegex(tools.GateError, "sta fails|OpenSTA: "):
                sta.analyse(self.folder, script + "\n")
        with self.assertRaisesRegex(tools.GateError, "sta fails|OpenSTA: "):
            self.analysed(clock="nowhere")


class Telling(unittest.TestCase):
    """Records and their page."""

    SHARE = {
        "cache": {"sets": 256, "ways": 16, "line": 128, "banks": 4, "address_bits": 49},
        "copies": 1,
        "copies_are": "all",
        "unit_bits": 20_000,
        "share": 0.02,
    }

    def test_records_of_another_flow_are_not_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "records.json"
            fresh = records.empty(flow.Settings())
            self.assertEqual(records.reusable(path, fresh), [])
            data = fresh | {"records": [{"unit": "x"}]}
            records.write(path, records.dumps(data))
            self.assertEqual(json.loads(path.read_text()), data)
            self.assertEqual(records.reusable(path, fresh), data["records"])
            for key, value in (("flow", ""), ("tools", {}), ("cycles", 1)):
                self.assertEqual(records.reusable(path, fresh | {key: value}), [])
            other = records.empty(flow.Settings(period=4.0))
            self.assertEqual(records.reusable(path, other), [])
            path.write_text("[]")
            with self.assertRaisesRegex(tools.GateError, "schema 2: run scripts/asic table"):
                records.reusable(path, fresh)

    def test_records_of_a_table_that_was_stopped_have_a_page(self):
        heading = table.ARRAYS.strip().splitlines()[0]
        data = records.empty(flow.Settings())
        entry = {"unit": "gdcu", "set": "16x4x21"}
        for stopped in (data, data | {"arrays": [entry]}):
            self.assertNotIn(heading, table.page(stopped))
        data["arrays"] = [entry | self.SHARE]
        data["left_out"] = [entry | {"flop_bits": 1, "ram_bits": 19_999}]
        self.assertIn(heading, table.page(data))

    def test_what_is_left_out_for_its_ram_has_a_share_of_bits(self):
        data = records.empty(flow.Settings())
        data["arrays"] = [{"unit": "llc_monitor", "set": "big"} | self.SHARE]
        data["left_out"] = [{"unit": "llc_monitor", "set": "big", "flop_bits": 1, "ram_bits": 19_999}]
        row = "| `llc_monitor` | big | 1, all | 20000 | excluded | 2.000 % | excluded |"
        self.assertIn(row, table.page(data))

    def test_what_is_not_measured_is_listed(self):
        data = records.empty(flow.Settings())
        self.assertNotIn("Not measured", table.page(data))
        data["unmeasured"] = [{"unit": "gdcu", "set": "16x4x21"}]
        self.assertIn("Changed since the last run of `scripts/asic table`: `gdcu` 16x4x21.", table.page(data))

    def test_the_share_of_area_by_hand(self):
        # 146 x 0.18 x 0.18 is 4.7304 um2 per bit: a million of them against two times 47304 um2.
        entry = {"tag_bits": 200_000, "data_bits": 800_000, "copies": 2}
        share = table.area_share(entry, {"area_um2": 47_304.0})
        self.assertAlmostEqual(share, 0.02)


if __name__ == "__main__":
    unittest.main()
