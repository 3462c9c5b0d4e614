"""Rationale: docs/fpga.md promises a demo whose serial line says what the golden model does, built to
a bitstream that says the same, and a table that is not older than the hardware. Each is run in a
small geometry at a high baud rate, where it takes a second; and the demo, its stream, the bitstream's
timing and the table are each broken, which must be seen.

Needs COTENANT or target/debug/cotenant, and the tools of scripts/setup.
"""

import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
LIB = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(LIB))

from fpga import counting, demo, design, path, records, stream, table, tools  # noqa: E402
from fpga.family import ECP5, ICE40  # noqa: E402
from fpga.main import main  # noqa: E402

os.environ.setdefault("COTENANT", str(tools.ROOT / "target/debug/cotenant"))

SET = "4x4x64x1"
# Placed in seconds.
SMALL = "2x2x16x1"
# Four clock cycles per bit: all else is as at 115200.
BAUD = demo.HX8K.clock_hz // 4
MEASURED = ["kid_demux:table-1", "demotion:small", "rbmi:small"]


class Folder(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_main(self, *arguments):
        """Exit code, and what was printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                code = main([str(argument) for argument in arguments])
            except SystemExit as end:
                code = end.code
        return code, said.getvalue()

    def prepare(self, set_name=SET, count=600, source=demo.SOURCE, board=demo.HX8K):
        """The files of a demo."""
        out = self.folder / "demo"
        return demo.prepare(board, set_name, count, demo.TRACE, source, out)


class Simulated(Folder):
    """The design as it is."""

    def test_says_what_the_golden_model_does(self):
        job = self.prepare()
        demo.simulate(job, BAUD)
        # Equal texts of nothing would show nothing.
        counts = json.loads((job.folder / "replay.json").read_text())
        self.assertGreater(sum(map(sum, counts["ike"])), 0)
        self.assertGreater(min(map(sum, counts["gdc"])), 0)
        self.assertGreater(counts["hits"], 0)

    def test_command_and_board_with_another_clock_and_four_banks(self):
        out = self.folder / "out"
        baud = demo.ULX3S.clock_hz // 4
        options = ["--config", "16x4x64x4", "--accesses", 400, "--baud", baud, "--out", out]
        code, said = self.run_main("simulate", "ulx3s", *options)
        self.assertEqual(code, 0, said)
        text = (out / "received.txt").read_bytes()
        self.assertEqual(text, 2 * (out / "expected.txt").read_bytes())
        self.assertIn(b"llc_monitor 16x4x64x4, 400 accesses", text)

    def test_text_by_hand(self):
        """The text's form, against one that was written by hand."""
        job = self.prepare(SMALL)
        answer = {
            "gdc": [[0, 10], [2, 3]],
            "ike": [[4, 5], [6, 2097151]],
            "kernels": [{"kid": 1, "hits": 70, "misses": 80}],
        }
        wanted = (
            "llc_monitor 2x2x16x1, 9 accesses\r\n"
            "demotions (GDC), victim by aggressor\r\n"
            "         K0      K1\r\n"
            "K0        0      10\r\n"
            "K1        2       3\r\n"
            "evictions (PLOB), victim by aggressor\r\n"
            "         K0      K1\r\n"
            "K0        4       5\r\n"
            "K1        6 2097151\r\n"
            "accesses\r\n"
            "         K0      K1\r\n"
            "hit       0      70\r\n"
            "mis       0      80\r\n"
        )
        self.assertEqual(stream.expected(job.monitor, 9, answer).decode(), wanted)


class Broken(Folder):
    """Each fault is seen on the line."""

    def seen(self, file, old, new, words=""):
        """The demo with a text of a file replaced."""
        source = self.folder / "source"
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree(demo.SOURCE, source)
        text = (source / file).read_text()
        self.assertEqual(text.count(old), 1, old)
        (source / file).write_text(text.replace(old, new))
        job = self.prepare(source=source)
        with self.assertRaises(tools.Missed) as missed:
            demo.simulate(job, BAUD)
        self.assertIn(words, str(missed.exception))

    def test_kernel_ids_swapped(self):
        self.seen("demo.v", "requester = kid;", "requester = kid ^ 1;", "golden model")

    def test_victim_and_aggressor_exchanged(self):
        source = ".read_victim(token[KID_W +: KID_W]),\n      .read_aggressor(token[0 +: KID_W])"
        wrong = ".read_victim(token[0 +: KID_W]),\n      .read_aggressor(token[KID_W +: KID_W])"
        self.seen("demo.v", source, wrong, "golden model")

    def test_set_bits_shifted(self):
        self.seen("demo.v", "set_index = line >> BANK_BITS", "set_index = line >> 1")

    def test_last_access_not_played(self):
        self.seen("demo.v", "if (index == ACCESSES - 1)", "if (index == ACCESSES - 2)")

    def test_a_counter_read_too_early(self):
        self.seen("demo.v", "READ: begin", "READ: if (1) state <= CONVERT; else begin")

    def test_wrong_rate(self):
        self.seen("demo.v", "(CLOCK_HZ + BAUD / 2) / BAUD", "CLOCK_HZ / BAUD + 1", "FAIL")

    def test_no_stop_bit(self):
        self.seen("uart_tx.v", "left <= 10;", "left <= 9;")

    def test_not_sent_again(self):
        self.seen("demo.v", "if (!rx_sync[1] || again_sync[1])", "if (again_sync[1])")

    def test_digits_not_carried(self):
        self.seen("decimal.v", ">= 5) adjusted", "> 5) adjusted")

    def test_another_stream(self):
        job = self.prepare()
        path = job.folder / "stream.hex"
        lines = path.read_text().splitlines()
        # One access goes to the next line.
        lines[150] = f"{int(lines[150], 16) ^ 1:x}"
        path.write_text("\n".join(lines) + "\n")
        with self.assertRaises(tools.Missed):
            demo.simulate(job, BAUD)


class Built(Folder):
    """To a bitstream, which is unpacked and simulated."""

    def test_bitstream_says_the_same_and_timing_is_judged(self):
        job = self.prepare(SMALL)
        demo.synthesise(job, BAUD)
        # It is placed all the same: what follows needs no second run.
        with self.assertRaises(tools.Missed) as missed:
            demo.place(job, 1, 1000)
        self.assertIn("timing is missed", str(missed.exception))
        bitstream = demo.pack(job)
        self.assertGreater(bitstream.stat().st_size, 100_000)
        demo.simulate_bitstream(job, BAUD, "-O0")


class Refused(Folder):
    """Wrong arguments, with a reason, and nothing is left."""

    def refused(self, words, *arguments):
        """Exit code 2."""
        out = self.folder / "out"
        code, said = self.run_main("simulate", "hx8k", "--out", out, *arguments)
        self.assertEqual(code, 2, said)
        self.assertIn(words, said)
        self.assertFalse(out.exists())

    def test_what_is_wrong_is_named(self):
        trace = self.folder / "bad.csv"
        trace.write_text("kernel,op,address\n0,R,0x80\n0,R,zebra\n")
        self.refused("bad.csv:3: expected kernel,op,address", "--trace", trace)
        trace.write_text("kernel,op,address\n0,R,0x80\n")
        self.refused("has 1 accesses", "--trace", trace)
        self.refused("/no/trace", "--trace", "/no/trace")
        self.refused("SETS is a power of two, but SETS=63", "--config", "4x4x63x1")
        self.refused("baud rate up to 3000000", "--baud", 10**9)

    def test_a_folder_of_others_is_left_alone(self):
        out = self.folder / "out"
        out.mkdir()
        (out / "thesis.txt").touch()
        code, said = self.run_main("simulate", "hx8k", "--out", out)
        self.assertEqual(code, 2, said)
        self.assertTrue((out / "thesis.txt").exists())


class Counting(Folder):
    """The counters are left, and nothing that only reads them."""

    def test_counters_alone(self):
        code, said = self.run_main("counting", "gdcu:small", "--out", self.folder / "one")
        self.assertEqual(code, 0, said)
        found = re.search(r"gdcu 2x2x21, .*: (\d+) COMB, (\d+) FF count$", said.strip())
        # 2 x 2 counters of 21 bits with a mark each; valid, kid and a lane of 2 bits per victim.
        self.assertEqual(int(found[2]), 4 * 22 + 1 + 1 + 2 * 2, said)

    def test_without_the_counters_it_says_so(self):
        with mock.patch.object(counting, "COUNTERS", ("matrix.inc_demux.lane",)):
            code, said = self.run_main("counting", "gdcu:small", "--out", self.folder / "none")
        self.assertEqual(code, 1, said)
        self.assertIn("fewer than the counters have", said)

    def test_another_unit_is_refused(self):
        code, said = self.run_main("counting", "milg:small", "--out", self.folder / "milg")
        self.assertEqual(code, 2)
        self.assertIn("expected gdcu:SET", said)


class IssuePath(Folder):
    """What decides is left, and what makes the quotas is not."""

    def test_the_path_alone(self):
        out = self.folder / "one"
        code, said = self.run_main("path", "qbmi:small", "--seeds", "1", "--out", out)
        self.assertEqual(code, 0, said)
        found = re.search(r"^qbmi 2x2, .*: ([\d.]+) MHz \(of ([\d.]+)\), \d+ COMB, \d+ FF", said)
        self.assertEqual(found[1], found[2], said)
        self.assertEqual(float(found[1]), self.reported(out), said)
        names = self.names(out, "unit")
        self.assertIn("current_0", names)
        self.assertIn("meter_0.taken", names)
        # The flops of the blocks that are gone.
        self.assertNotIn("unit.left", names)
        self.assertNotIn("meter_0.total", names)

    def names(self, folder, what):
        """Of the nets of the unit."""
        netlist = json.loads((folder / f"ecp5_qbmi_2x2.{what}.json").read_text())
        (top,) = [name for name in netlist["modules"] if name.startswith("qbmi_")]
        return netlist["modules"][top]["netnames"]

    def reported(self, folder):
        """The placer's MHz of seed 1."""
        report = json.loads((folder / "ecp5_qbmi_2x2.1.report.json").read_text())
        (clock,) = report["fmax"].values()
        return round(clock["achieved"], 1)

    def test_a_stand_in_has_the_ports_and_lets_nothing_through(self):
        verilog = "module block (\n    input wire clock,\n    input wire [2:0] a,\n    output wire b\n);"
        self.assertEqual(
            path.stand_in(verilog + "\n  assign b = ^a;\nendmodule\n"),
            """\
module block (
    input wire [0:0] clock,
    input wire [2:0] a,
    output wire [0:0] b
);
  reg [2:0] taken, mixed;
  reg [0:0] given;
  assign {b} = given;
  always @(posedge clock) begin
    taken <= {a};
    mixed <= {mixed, 1'b0} ^ taken;
    given <= {given, mixed[2]};
  end
endmodule
""",
        )

    def test_without_those_blocks_it_says_so(self):
        with mock.patch.object(path, "BESIDE", ("quota_unit", "no_such_block")):
            code, said = self.run_main("path", "qbmi:small", "--out", self.folder / "none")
        self.assertEqual(code, 1, said)
        self.assertIn("has no no_such_block", said)

    def test_another_unit_is_refused(self):
        code, said = self.run_main("path", "milg:small", "--out", self.folder / "milg")
        self.assertEqual(code, 2)
        self.assertIn("expected qbmi:SET", said)


class Ways(Folder):
    """A unit is measured with wide LUTs and without; the better of both is the table's."""

    def test_each_way_has_cells_of_its_own(self):
        one = design.export("popcnt", "16", self.folder / "popcnt")
        entry = records.measure(ECP5, one, self.folder, None, 1)
        self.assertEqual(list(entry["ways"]), ["wide", "narrow"])
        files = {"wide": "ecp5_popcnt_16.unit.json", "narrow": "ecp5_popcnt_16.narrow.unit.json"}
        kinds = {way: self.kinds(file) for way, file in files.items()}
        self.assertIn("PFUMX", kinds["wide"])
        self.assertNotIn("PFUMX", kinds["narrow"])
        self.assertNotIn("L6MUX21", kinds["narrow"])
        self.assertIn("LUT4", kinds["narrow"])
        self.assertNotEqual(entry["ways"]["wide"]["cells"], entry["ways"]["narrow"]["cells"])
        # What is there is not measured again, what lacks is.
        self.assertEqual(records.lacking(ECP5, entry, 1), [])
        self.assertEqual(records.lacking(ECP5, entry, 2), ["wide", "narrow"])
        entry["ways"]["wide"]["mhz"] = {"1": 1.0}
        del entry["ways"]["narrow"]
        self.assertEqual(records.lacking(ECP5, entry, 1), ["narrow"])
        again = records.measure(ECP5, one, self.folder, entry, 1)
        self.assertEqual(again["ways"]["wide"]["mhz"], {"1": 1.0})
        self.assertGreater(again["ways"]["narrow"]["mhz"]["1"], 1.0)

    def kinds(self, file):
        """Of the cells of the unit."""
        netlist = json.loads((self.folder / file).read_text())
        (top,) = [name for name in netlist["modules"] if name.startswith("popcnt_")]
        return {cell["type"] for cell in netlist["modules"][top]["cells"].values()}

    def test_the_smaller_product_of_area_and_period_is_better(self):
        def entry(wide, narrow):
            return {"ways": {"wide": wide, "narrow": narrow}}

        def fits(cells, *mhz):
            return {"cells": {"COMB": cells}, "mhz": dict(enumerate(mhz))}

        none = {"cells": {"COMB": 30000}, "mhz": {}, "misfit": "30000 of 24288 COMB"}
        for wide, narrow, better in (
            (fits(100, 100.0), fits(60, 61.0), "narrow"),
            (fits(100, 100.0), fits(60, 59.0), "wide"),
            (fits(100, 90.0, 100.0, 300.0), fits(60, 59.0), "wide"),
            (fits(100, 100.0), fits(100, 100.0), "wide"),
            (none, fits(60, 1.0), "narrow"),
            (fits(60, 1.0), none, "wide"),
            (none, none, "wide"),
        ):
            self.assertEqual(records.better(ECP5, entry(wide, narrow)), better, (wide, narrow))
        self.assertEqual(records.better(ECP5, {"ways": {"wide": none}}), "wide")
        alone = {"cells": {"LC": 1}, "mhz": {}}
        self.assertEqual(records.better(ICE40, {"ways": {"lut4": alone}}), "lut4")

    def test_another_seed_takes_the_place_of_one_that_is_never_routed(self):
        with self.assertRaises(tools.Endless) as endless:
            tools.run(["sh", "-c", "while :; do :; done"], self.folder, "loop", limit=1)
        self.assertIn("sh did not end within 1 s of processor time", str(endless.exception))
        one = design.export("popcnt", "2", self.folder / "popcnt")

        def place(stuck):
            def placed(_family, _folder, _name, seed, _mhz):
                if seed in stuck:
                    raise tools.Endless("for ever")
                return 100.0 + seed, ""

            with mock.patch("fpga.family.Family.place", placed):
                return records.figures(ICE40, one, self.folder, "lut4", None, 3)

        found = place({2})
        self.assertEqual(found["mhz"], {"1": 101.0, "3": 103.0, "4": 104.0})
        self.assertEqual(table._speed(found), "103 (101 to 104); seed 2 not routed")
        self.assertEqual(records.lacking(ICE40, {"ways": {"lut4": found}}, 3), [])
        found = place(range(1, 99))
        self.assertEqual(found["mhz"], {})
        self.assertEqual(len(found["unrouted"]), 6)
        self.assertEqual(records.lacking(ICE40, {"ways": {"lut4": found}}, 3), [])
        self.assertEqual(table._speed(found), "seeds 1, 2, 3, 4, 5, 6 not routed")

    def test_seeds_are_kept_when_a_run_is_interrupted(self):
        one = design.export("popcnt", "2", self.folder / "popcnt")
        kept = []

        def placed(_family, _folder, _name, seed, _mhz):
            if seed == 2:
                raise tools.Endless("for ever")
            if seed == 4:
                raise KeyboardInterrupt
            return 100.0 + seed, ""

        def keep(entry):
            kept.append(json.loads(json.dumps(entry)))

        with mock.patch("fpga.family.Family.place", placed), self.assertRaises(KeyboardInterrupt):
            records.measure(ICE40, one, self.folder, None, 3, keep)
        found = kept[-1]["ways"]["lut4"]
        self.assertEqual((found["mhz"], found["unrouted"]), ({"1": 101.0, "3": 103.0}, ["2"]))
        self.assertEqual(records.lacking(ICE40, kept[-1], 3), ["lut4"])
        self.assertEqual(table._speed(kept[0]["ways"]["lut4"]), "101; 1 of 3 seeds")
        with mock.patch("fpga.family.Family.place", lambda *_: (100.0, "")):
            entry = records.measure(ICE40, one, self.folder, kept[-1], 3, keep)
        self.assertEqual(list(entry["ways"]["lut4"]["mhz"]), ["1", "3", "4"])
        self.assertEqual(kept[-1], entry)

    def test_a_placer_that_fails_is_no_misfit(self):
        # As nextpnr 0.4 and 0.11 say it.
        for said in (
            "ERROR: failed to place cell 'x' of type 'ICESTORM_LC'",
            "ERROR: Unable to find legal placement for cell 'x' of type 'TRELLIS_COMB'",
            "ERROR: Failed to expand region (0, 0) |_> (33, 33) of 7767 ICESTORM_LCs",
        ):
            why = said.removeprefix("ERROR: ")
            self.assertEqual(ICE40.misfit(f"Info: packing\n{said}\n", Path("x.1.log")), why)
        for said in ("ERROR: Failed to open JSON file 'x.json'.", "Killed", ""):
            with self.assertRaises(tools.FpgaError) as failed:
                ICE40.misfit(said, Path("x.1.log"))
            self.assertIn(said or "nothing", str(failed.exception))
        with self.assertRaises(tools.FpgaError):
            ICE40.place(self.folder, "nowhere", 1, 100)

    def test_a_folder_is_for_one_run(self):
        work = self.folder / "table"
        work.mkdir()
        (work / "before").touch()
        with tools.claimed(work):
            self.assertFalse(work.exists())
            work.mkdir()
            with self.assertRaisesRegex(tools.FpgaError, "another run works in .*--out"):
                with tools.claimed(work):
                    pass
            self.assertTrue(work.exists())
        with tools.claimed(work):
            pass

    def test_the_row_shows_both(self):
        data = records.all_records(records.FOLDER)
        entry = data["ecp5"].entries["popcnt", "2"]
        wide = {"cells": {"COMB": 100, "FF": 7, "RAM": 0}, "mhz": dict.fromkeys("123", 80.0)}
        narrow = {"cells": {"COMB": 50, "FF": 7, "RAM": 0}, "mhz": dict.fromkeys("123", 70.0)}
        for ways, end in (
            ({"wide": wide, "narrow": narrow}, "| 50 | 7 | 0 | 70 | narrow | wide: 100, 80 |"),
            ({"wide": wide}, "| 100 | 7 | 0 | 80 | wide | narrow: not measured |"),
        ):
            entry["ways"] = ways
            rows = table.table(data).splitlines()
            (row,) = [row for row in rows if row.startswith("| `popcnt` | `2`")]
            self.assertTrue(row.endswith(end), row)


class Table(Folder):
    """The committed data, and changed copies of them."""

    def check(self, change=None):
        """With a file of the data changed: a function of the JSON."""
        data = self.folder / "data"
        shutil.copytree(records.FOLDER, data)
        if change:
            path = data / "ecp5.json"
            text = json.loads(path.read_text())
            change(text["records"])
            path.write_text(json.dumps(text))
        out = self.folder / "check"
        return self.run_main(
            "table", "--check", "--only", *MEASURED, "--data", data, "--out", out
        )

    def test_is_of_the_data_and_the_data_of_todays_netlists(self):
        code, said = self.check()
        self.assertEqual(code, 0, said)

    def test_another_number_is_seen(self):
        def faster(entries):
            for entry in entries:
                for found in entry["ways"].values():
                    found["mhz"] = {seed: mhz + 1 for seed, mhz in found["mhz"].items()}

        code, said = self.check(faster)
        self.assertEqual(code, 1, said)
        self.assertIn("the table is not that of the data", said)

    def test_another_demo_is_seen(self):
        data = self.folder / "data"
        shutil.copytree(records.FOLDER, data)
        entry = {"title": "A board more", "set": SET, "netlist": "", "clock_mhz": 1, "cells": {}}
        records.note(data, "demo", "more", entry | {"mhz": 2, "tools": []})
        out = self.folder / "check"
        options = ["--only", MEASURED[0], "--data", data, "--out", out]
        code, said = self.run_main("table", "--check", *options)
        self.assertEqual(code, 1, said)
        self.assertIn("A board more", said)

    def test_a_part_of_another_netlist_is_seen(self):
        data = self.folder / "data"
        shutil.copytree(records.FOLDER, data)
        parts = records.noted(data, "part")
        self.assertEqual({name.split()[0] for name in parts}, {"counting", "path"})
        for name, entry in parts.items():
            records.note(data, "part", name, entry | {"netlist": "0" * 16})
        out = self.folder / "check"
        options = ["--only", MEASURED[0], "--data", data, "--out", out]
        code, said = self.run_main("table", "--check", *options)
        self.assertEqual(code, 1, said)
        for name in parts:
            self.assertIn(f"{name}: made of netlist 0000000000000000", said)

    def test_another_netlist_is_seen(self):
        def older(entries):
            for entry in entries:
                if entry["unit"] == "rbmi":
                    entry["netlist"] = "0" * 16

        code, said = self.check(older)
        self.assertEqual(code, 1, said)
        self.assertIn("ecp5 rbmi 2: measured of netlist 0000000000000000", said)
        self.assertNotIn("the table is not", said)

    def test_a_way_that_is_not_measured_is_seen(self):
        def one_way(entries):
            for entry in entries:
                if entry["unit"] == "rbmi":
                    entry["ways"].pop("narrow", None)

        code, said = self.check(one_way)
        self.assertEqual(code, 1, said)
        self.assertIn("ecp5 rbmi 2 narrow: not measured", said)

    def test_every_bit_of_every_port_is_between_flops(self):
        """A port left open would let synthesis take logic away, and flatter."""
        one = design.export("gdcu", "2x2x16", self.folder / "gdcu")
        text = design.wrapper(one, "wrapper")
        for direction, bus, last in (("input", "given", "given;"), ("output", "answer", "answer;")):
            covered = []
            for port in one.ports:
                if port["direction"] == direction and not port["clock"]:
                    found = re.findall(rf"\.{port['verilog']}\({bus}\[(\d+) \+: (\d+)\]\)", text)
                    self.assertEqual(len(found), 1, port)
                    place, width = map(int, found[0])
                    self.assertEqual(width, port["width"])
                    covered += range(place, place + width)
            top = int(re.search(rf"\[(\d+):0\] .*{last}", text)[1])
            self.assertEqual(sorted(covered), list(range(top + 1)))
        self.assertIn(".clock(clock)", text)

    def test_a_row_keeps_its_columns_whatever_the_placer_says(self):
        data = records.all_records(records.FOLDER)
        heads = len(table.table(data).splitlines()[2].split("|"))
        entry = data["ice40"].entries["popcnt", "2"]
        entry["ways"]["lut4"] |= {"misfit": "not placed: (0, 0) |_> (33, 33) of 7767", "mhz": {}}
        (row,) = [row for row in table.table(data).splitlines() if row.startswith("| `popcnt` | `2`")]
        self.assertIn("does not fit with the registers around: (0, 0) \\|_> (33, 33)", row)
        self.assertEqual(len(re.split(r"(?<!\\)\|", row)), heads, row)

    def test_median_and_names(self):
        self.assertEqual(records.median({"mhz": {"1": 90.0, "2": 100.0, "3": 120.0}}), 100.0)
        with self.assertRaises(tools.FpgaError):
            table.wanted(["popcnt:99"], False)


if __name__ == "__main__":
    unittest.main()
