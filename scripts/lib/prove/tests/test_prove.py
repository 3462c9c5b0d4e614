"""Rationale: a proof is worth what it assumes and what its tools are asked. Assumptions must not be
stricter than the golden models': stimulus that those find legal is played into every harness, in
Icarus, where all claims must hold, too. What the prover relies on (reset, signals inside a unit,
time limits, waves, the table) is broken, and must be seen. That claims can fail is shown by
`scripts/prove --faults`."""

import os
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from itertools import product
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
LIB = Path(__file__).resolve().parents[2]
SCRIPTS = LIB.parent
sys.path.insert(0, str(LIB))

import program  # noqa: E402
from prove import circuit, engines, harness, record, report, tools, wave  # noqa: E402
from prove.buses import BUS_PROOFS  # noqa: E402
from prove.catalogue import FAULTS, PROOFS, UNIT_PROOFS  # noqa: E402
from prove.design import export  # noqa: E402
from prove.jobs import Job, Outcome, decide  # noqa: E402
from prove.proof import FORMAL, REACHABILITY  # noqa: E402

COTENANT = program.cotenant()
CYCLES = 3000


def proof(unit, name="equal"):
    """The one of that name."""
    return next(one for one in PROOFS if (one.unit, one.name) == (unit, name))


class InFolder(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def exported(self, unit, name, **changed):
        """A unit in Verilog."""
        return export(COTENANT, unit, name, self.folder / f"{unit}_{name}", **changed)

    def harness(self, one, design, edit=lambda text: text):
        """All files of a proof."""
        top = self.folder / "prove.v"
        top.write_text(edit(harness.text(design, one)))
        return [top, *harness.sources(design, one)]


BENCH = """
module bench;
  reg [{width}-1:0] stimulus [0:{cycles}-1];
  reg clock;
  {declared}
  prove prove ({connected});
  integer cycle, bad, after_reset;
  initial begin
    $readmemh("{stimulus}", stimulus);
    bad = 0;
    after_reset = 0;
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      clock = 0;
      {{{inputs}}} = stimulus[cycle];
      #5;
      if (after_reset && (prove.claims.legal !== 1'b1 || {claims})) bad = bad + 1;
      if ({reset}) after_reset = 1;
      clock = 1;
      #5;
    end
    $display("%0d bad of {cycles}", bad);
  end
endmodule
"""


class Stimulus(InFolder):
    """Inputs that the golden models find legal."""

    def stimulus(self, unit, name):
        """Packs the inputs of vectors (docs/vectors.md) into one word per cycle, the first lowest."""
        vectors, packed = self.folder / f"{unit}_{name}.vec", self.folder / f"{unit}_{name}.hex"
        command = [COTENANT, "vectors", unit, "--config", name, f"--cycles={CYCLES}", "-o", vectors]
        tools.run([*map(str, command)], self.folder, "vectors", 60)
        widths, words = [], []
        for line in vectors.read_text().splitlines():
            if line.startswith("# input "):
                widths.append(int(line.split()[3]))
            elif not line.startswith("#"):
                word = 0
                values = line.split(" | ")[0].split()
                for width, value in zip(reversed(widths), reversed(values)):
                    word = word << width | int(value, 16)
                words.append(f"{word:x}\n")
        packed.write_text("".join(words))
        return packed

    def play(self, one, name, edit=lambda text: text):
        """How many cycles are found illegal, or violate a claim, with text of the harness changed."""
        stimulus = self.stimulus(one.unit, name)
        design = self.exported(one.unit, name)
        files = self.harness(one, design, edit)
        ports = [port for port in design.ports if port["direction"] == "input"]
        inputs = [port for port in ports if port["name"] != "clock"]
        text = files[0].read_text()
        claims = [
            line.split()[-1].rstrip(";")
            for line in text.splitlines()
            if line.startswith("  output wire")
        ]
        bench = BENCH.format(
            width=sum(port["width"] for port in inputs),
            cycles=CYCLES,
            declared=" ".join(f"reg [{p['width']}-1:0] {p['name']};" for p in inputs),
            # What facts need besides may be anything.
            connected=", ".join(
                [f".{p['name']}({p['name']})" for p in ports]
                + [f".{name}(64'h9e3779b97f4a7c15)" for name, _ in one.free(design.parameters)]
            ),
            stimulus=stimulus,
            inputs=", ".join(port["name"] for port in reversed(inputs)),
            claims=" || ".join(f"(|prove.{claim}) !== 1'b0" for claim in claims),
            reset="reset" if len(ports) > len(inputs) else "1'b1",
        )
        (self.folder / "bench.v").write_text(bench)
        build = ["iverilog", "-g2005", f"-I{FORMAL}", "-s", "bench", "-o", "bench.vvp", "bench.v"]
        tools.run([*build, *map(str, files)], self.folder, "iverilog", 60)
        said = tools.run(["vvp", "-N", "bench.vvp"], self.folder, "vvp", 60)
        self.assertIn(f"bad of {CYCLES}", said)
        return int(said.split(" bad of ")[0].split()[-1])

    def test_is_legal_and_violates_nothing(self):
        """At a power of two and at another number; nothing is left out here."""
        for one in PROOFS:
            # Where a reference is given what stands for the part that is left out, it has to be; and
            # facts about what several parts are told name ports that there are without them only,
            # if they do not say what to do with all parts.
            facts = "".join((FORMAL / "facts" / f"{name}.vh").read_text() for name in one.included)
            if one.cut and (one.reference or "," in one.cut and "`ifdef CUT" not in facts):
                continue
            # Faults of a bus show with any set: with the smallest, since it is built fastest.
            names = one.sets[1:4:2] if one in UNIT_PROOFS and one.sets[1:] else one.sets[:1]
            for name in names:
                with self.subTest(unit=one.unit, claim=one.name, set=name):
                    self.assertEqual(self.play(one, name), 0)

    def test_stricter_assumptions_are_seen(self):
        """One kernel less."""

        def strict(text):
            self.assertIn("access_kid < 4", text)
            return text.replace("access_kid < 4", "access_kid < 3")

        for unit in ("lru_stack", "gdcu"):
            self.assertGreater(self.play(proof(unit), "figure-2", strict), 0)


class Quotients(unittest.TestCase):
    """What `ucp_multiplies.vh` assumes of products besides that they depend on their factors."""

    def test_they_are_ordered(self):
        """If e/f > a/b >= c/d, the right side is positive, and so is ed - cf. No term has a number
        twice, so that the sides are equal for all numbers if they are for 0 and 1."""
        for a, b, c, d, e, f in product(range(2), repeat=6):
            self.assertEqual(b * (e * d - c * f), d * (e * b - a * f) + f * (a * d - c * b))

    def test_products_are(self):
        """The assumption itself, with small numbers; without d > 0 it would be none."""
        numbers, positive = range(3), range(1, 4)

        def wrong(ways):
            return [
                (a, b, c, d, e, f)
                for a, c, e in product(numbers, repeat=3)
                for b, d, f in product(positive, ways, positive)
                if e * b > a * f and a * d >= c * b and e * d <= c * f
            ]

        self.assertEqual(wrong(positive), [])
        self.assertNotEqual(wrong((0,)), [])


class Prover(InFolder):
    """What it relies on."""

    def built(self, one, name, fault="", edit=lambda text: text):
        """The circuit of a proof, of a faulty unit or with text of the harness changed."""
        design = self.exported(one.unit, name, fault=fault)
        return circuit.build(self.folder, self.harness(one, design, edit), FORMAL), design

    def test_a_flop_without_reset_is_refused(self):
        """Correspondence starts in one state."""
        graph, _ = self.built(proof("gdcu"), "small", "missing reset: valid[0]")
        with self.assertRaisesRegex(tools.ProofError, "1 flops are not reset .*valid"):
            engines.decide(graph, proof("gdcu"), {"STAGES": 1})

    def bus(self, unit, name, facts, fault="", **changed):
        """The harness' files of some facts about a bus, and the design: without its inside."""
        one = proof(unit, "bus")
        one = replace(one, facts=facts, files=one.included, **changed)
        design = self.exported(unit, name, without=one.cut, fault=fault)
        return one, design, self.harness(one, design)

    def test_bounds_are_the_least(self):
        """A cycle less is refuted, also where accesses wait for a sweep; Icarus sees it, too."""
        for unit in (
            *("llc_monitor_apb", "llc_monitor_axi", "mem_issue_apb", "mem_issue_axi"),
            *("managed_llc_apb", "managed_llc_axi"),
        ):
            with self.subTest(unit=unit):
                waits = proof(unit, "bus").constants

                def less(parameters, waits=waits):
                    constants = waits(parameters)
                    return dict(constants, WAITS=constants["WAITS"] - 1)

                one, design, files = self.bus(unit, "small", ("bounded",), constants=less)
                graph = circuit.build(self.folder, files, FORMAL)
                found = engines.decide(graph, one, design.parameters)
                self.assertEqual(found.output, ("violated_bounded", 0))
                wave.replay(graph, found, design.inputs, files, FORMAL)

    def test_what_is_not_there_is_neither_left_out_nor_faulty(self):
        """An export that did nothing would make proofs of nothing."""
        for changed, words in (
            ({"without": "monitor"}, "no instance 'monitor'"),
            ({"fault": "lost write: nothing"}, "no fault 'lost write: nothing'"),
        ):
            with self.assertRaisesRegex(tools.ProofError, words):
                self.exported("mem_issue_apb", "small", **changed)

    def test_reachability_takes_no_flop_for_reset(self):
        """One without reset may hold anything after it."""
        unit = "mem_issue_axi"
        for fault, output in (("", None), ("missing reset: bus.b_valid", ("violated_quiet", 0))):
            one, design, files = self.bus(unit, "small", ("quiet",), fault)
            graph = circuit.build(self.folder, files, FORMAL)
            found = engines.decide(graph, one, design.parameters)
            self.assertEqual(found and found.output, output)

    def test_what_the_solver_leaves_open_is_swept(self):
        """And is open, if that is not done either."""
        one = proof("ucp", "masked")
        graph, design = self.built(one, "small")
        impatient = {**engines.DECIDERS, "prove": "sat -C 1"}
        with mock.patch.object(engines, "DECIDERS", impatient):
            self.assertIsNone(engines.decide(graph, one, design.parameters))
        del impatient["sweep"]
        with mock.patch.object(engines, "DECIDERS", impatient):
            with self.assertRaisesRegex(tools.ProofError, r"does not decide .* see .*prove\.log"):
                engines.decide(graph, one, design.parameters)

    def test_a_signal_that_is_not_there_is_an_error(self):
        """Not an input that may be anything."""
        with self.assertRaisesRegex(tools.ProofError, "yosys fails"):
            self.built(
                proof("counter_matrix", "marked"),
                "small",
                edit=lambda text: text.replace("dut.passed_0", "dut.passeds_0"),
            )

    def test_a_wave_that_does_not_fail_is_refused(self):
        """A counterexample is what Icarus sees, too."""
        graph, design = self.built(proof("popcnt"), "small")
        found = circuit.Counterexample(graph.outputs[0], [], [[0] * len(graph.inputs)])
        files = self.harness(proof("popcnt"), design)
        with self.assertRaisesRegex(tools.ProofError, "not high at the end"):
            wave.replay(graph, found, design.inputs, files, FORMAL)

    def test_cases_that_say_nothing_are_refused(self):
        """An illegal case would hold; and one without a start is not decided."""
        one = proof("quota_unit", "defined")
        graph, design = self.built(one, "small")
        self.assertIsNone(engines.decide(graph, one, design.parameters))
        none = {("active", 0): 1, ("active", 1): 0} | {("ratio", bit): 0 for bit in range(6)}
        illegal = replace(one, cases=replace(one.cases, inputs=lambda parameters: [none]))
        with self.assertRaisesRegex(tools.ProofError, "some cases are illegal"):
            engines.decide(graph, illegal, design.parameters)
        idle = replace(one, cases=replace(one.cases, first=one.cases.then))
        self.assertIsNotNone(engines.decide(graph, idle, design.parameters))

    def test_time_limits_and_tools_are_named(self):
        """With the log, or with what to do."""
        with self.assertRaisesRegex(tools.ProofError, r"sleep takes longer .* see .*nap\.log"):
            tools.run(["sleep", "5"], self.folder, "nap", 0.1)
        with self.assertRaisesRegex(tools.ProofError, "no-tool does not start .* scripts/setup"):
            tools.run(["no-tool"], self.folder, "none", 1)

    def test_each_property_of_a_bus_has_a_fault_of_its_own(self):
        """Where properties are decided one by one; an induction needs them all. That each proof
        has a fault, `scripts/prove --faults` says."""
        alone = [one for one in BUS_PROOFS if one.engine == REACHABILITY]
        units = {one.unit for one in alone}
        claims = {fault.claim for fault in FAULTS if fault.claim and fault.unit in units}
        self.assertEqual({fact for one in alone for fact in one.facts}, claims)

    def test_undecided_is_no_proof(self):
        """Neither of a unit nor of a faulty one."""
        outcome = decide(Job(proof("popcnt"), "no-such-set"), COTENANT, self.folder)
        self.assertEqual((outcome.verdict, outcome.good), ("undecided", False))
        self.assertIn("no parameter set 'no-such-set'", outcome.detail)

    def test_a_folder_with_something_else_is_left_alone(self):
        """It may be anybody's."""
        job = Job(proof("popcnt"), "small")
        mine = self.folder / job.folder / "mine"
        mine.mkdir(parents=True)
        self.assertIn("holds something else", decide(job, COTENANT, self.folder).detail)
        self.assertTrue(mine.exists())

    def test_a_table_that_drifts_is_seen(self):
        """Nothing proven is not what the table says."""
        outcome = Outcome(Job(PROOFS[0], "small"), "2", "all inputs", 0.0, "proven")
        with open(os.devnull, "w") as null:
            old, sys.stdout = sys.stdout, null
            self.addCleanup(setattr, sys, "stdout", old)
            self.assertTrue(report.drifted([outcome], []))


class Kept(InFolder):
    """The record: what is in it is not decided again, whatever has changed is."""

    def setUp(self):
        super().setUp()
        self.kept = record.Record(self.folder / "proven.json")
        self.job = Job(proof("popcnt"), "small")
        self.kept.put(decide(self.job, COTENANT, self.folder))

    def test_what_has_not_changed_is_taken_from_it(self):
        """Also by a later run, from the file."""
        later = record.Record(self.kept.file)
        again = decide(self.job, COTENANT, self.folder, later.digest(self.job))
        self.assertEqual((again.verdict, again.good, again.recorded), ("proven", True, True))
        self.assertFalse(later.drifted([again]))

    def test_what_has_changed_is_decided(self):
        """A faulty unit is not taken for the right one, nor other facts for these."""
        known = self.kept.digest(self.job)
        fault = next(fault for fault in FAULTS if fault.unit == "popcnt")
        fault = replace(fault, words="stuck input: bit 0 of data at 0")
        faulty = decide(Job(self.job.proof, "small", fault), COTENANT, self.folder, known)
        self.assertEqual((faulty.verdict, faulty.recorded), ("refuted", False))
        other = Job(replace(self.job.proof, claim="another"), "small")
        changed = decide(other, COTENANT, self.folder, known)
        self.assertEqual((changed.verdict, changed.recorded), ("proven", False))

    def test_it_drifts(self):
        """An old digest, a verdict that is not the wanted one, or none."""
        outcome = Outcome(self.job, "2", "all inputs", 0.0, "proven", digest="another")
        with open(os.devnull, "w") as null:
            old, sys.stdout = sys.stdout, null
            self.addCleanup(setattr, sys, "stdout", old)
            self.assertTrue(self.kept.drifted([outcome]))
            self.kept.put(outcome)
            self.assertFalse(self.kept.drifted([outcome]))
            self.kept.entries[self.job.name]["verdict"] = "refuted"
            self.assertTrue(self.kept.drifted([outcome]))
            self.kept.keep([])
            self.assertTrue(self.kept.drifted([outcome]))
        self.assertEqual(self.kept.file.read_text(), "[\n\n]\n")

    def test_what_is_no_record_is_refused(self):
        """Not taken for an empty one."""
        for text in ("{", "[1]", '[{"digest": ""}]'):
            self.kept.file.write_text(text)
            with self.assertRaisesRegex(tools.ProofError, "not what scripts/prove --record writes"):
                record.Record(self.kept.file)

    def test_a_sample_is_another_with_another_seed(self):
        """And the same with the same."""
        jobs = [Job(one, name) for one in PROOFS for name in one.sets]
        first, second = (record.sample(jobs, 20, seed) for seed in ("a", "b"))
        self.assertEqual((len(first), first), (20, record.sample(jobs[::-1], 20, "a")))
        self.assertNotEqual(first, second)


class Command(InFolder):
    """scripts/prove as it is called."""

    def call(self, *arguments, binary=COTENANT):
        """Exit code and what it prints."""
        command = [SCRIPTS / "prove", "--out", self.folder, *arguments]
        environment = {**os.environ, "COTENANT": str(binary)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_own_rtl(self):
        """Proven if it is right, refuted with a wave if not."""
        good = FORMAL / "examples/popcnt_pairs.v"
        bad = self.folder / "bad.v"
        bad.write_text(good.read_text().replace("bytes[4:0] +", "bytes[4:0] |"))
        for file, code, word in ((good, 0, "proven"), (bad, 1, "REFUTED: differs_count")):
            done = self.call("popcnt", "--config", "16", "--rtl", file, "--top", "popcnt_pairs")
            self.assertEqual(done[0], code, done[1])
            self.assertIn(word, done[1])

    def test_wrong_arguments(self):
        """Exit code 2, and what would be right."""
        for arguments, words in (
            (["popcount"], "no proofs of 'popcount'; there are some of "),
            (["popcnt", "--record"], "--record is for all proofs and faults"),
            (["--sample", "-1"], "--sample is at least 0"),
            (["--seed", "a"], "--seed goes with --sample"),
        ):
            code, said = self.call(*arguments)
            self.assertEqual(code, 2)
            self.assertIn(words, said)

    def test_a_sample_is_proven_again(self):
        """As many as asked for; the others are as recorded."""
        code, said = self.call("popcnt", "kid_demux", "--sample", "2", "--seed", "a")
        self.assertEqual(code, 0, said)
        self.assertEqual(sum(line.endswith("  proven") for line in said.splitlines()), 2, said)
        self.assertRegex(said, r"(\d+) of \1 proven \(\d+ as recorded\)")

    def test_no_program(self):
        """Exit code 2, before anything is written."""
        code, said = self.call("popcnt", binary=self.folder / "nowhere")
        self.assertEqual(code, 2)
        self.assertIn("nowhere, expected a program that can be run", said)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
