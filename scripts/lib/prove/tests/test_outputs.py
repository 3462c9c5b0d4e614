"""Rationale: a proof that cannot fail asserts nothing, and an output that no proof is about may show
anything. Both are made here, and must be named; what the outputs of a proof are is derived from its
reference or from the text of its facts, so that no list can be forgotten."""

import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
LIB = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(LIB))

import program  # noqa: E402
from prove import engines, harness, outputs, record, refute, report  # noqa: E402
from prove.catalogue import PROOFS  # noqa: E402
from prove.design import sound  # noqa: E402
from prove.jobs import Job, decide  # noqa: E402

COTENANT = program.cotenant()


def proof(unit, name):
    """The one of that name."""
    return next(one for one in PROOFS if (one.unit, one.name) == (unit, name))


class Outputs(unittest.TestCase):
    """Faults at the outputs of `smil`, the smallest unit with facts and a reference."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.design = sound(COTENANT, "smil", "small", self.folder)

    def decided(self, one):
        """What comes of the faults at the outputs of a proof."""
        faults = outputs.faults(self.design, one, "small")
        return [decide(Job(one, "small", fault), COTENANT, self.folder) for fault in faults]

    def gaps(self, one, outcomes, unshown=()):
        """What that leaves open."""
        names = [output.name for output in outputs.outputs(self.design)]
        return report.gaps([one], {"smil": names}, dict.fromkeys(unshown, "why"), outcomes)

    def test_a_proof_that_says_nothing_is_empty(self):
        """Its fact is always 1, though its text names an output."""
        one = replace(proof("smil", "safe"), compared=("in_flight",))
        include, text = '`include "facts/smil_safe.vh"', harness.text
        nothing = "localparam SAFE_FACTS = 1; wire safe = 1'b1 | (&in_flight);"
        with mock.patch.object(
            harness, "text", lambda *given: text(*given).replace(include, nothing)
        ):
            outcomes = self.decided(one)
        self.assertEqual([outcome.verdict for outcome in outcomes], ["proven"])
        self.assertIn("smil safe is empty: it finds no fault of the unit", self.gaps(one, outcomes))
        self.assertIn("NOT FOUND: stuck output: in_flight", report.line(outcomes[0]))

    def test_an_output_that_is_not_compared_is_named(self):
        """With all others found, each stuck at 0 and at 1."""
        one = replace(proof("smil", "equal"), compared=("allow", "in_flight", "unlimited"))
        outcomes = self.decided(one)
        self.assertEqual([outcome.verdict for outcome in outcomes], ["refuted"] * 6)
        named = ["smil: no proof finds a fault at output limit"]
        self.assertEqual(self.gaps(one, outcomes), named)
        self.assertEqual(self.gaps(one, outcomes, [("smil", "limit")]), [])
        stale = ["smil: a proof finds faults at output allow: it is no exception"]
        self.assertEqual(self.gaps(one, outcomes, [("smil", "limit"), ("smil", "allow")]), stale)

    def test_facts_are_about_what_their_text_names(self):
        """Not what a comment does, nor what is only assumed; a reference is about everything."""
        safe, equal = proof("smil", "safe"), proof("smil", "equal")
        names = [output.name for output in outputs.about(self.design, safe)]
        self.assertEqual(names, ["allow", "in_flight", "limit"])
        names = [output.name for output in outputs.about(self.design, equal)]
        self.assertEqual(names, ["allow", "in_flight", "limit", "unlimited"])
        with mock.patch.object(Path, "read_text", lambda file: "// limit\nwire a = /* allow */ b;"):
            self.assertEqual(outputs.about(self.design, safe), [])

    def test_an_element_is_an_output(self):
        """Of a port with one per kernel."""
        design = sound(COTENANT, "rbmi", "three", self.folder)
        names = [output.name for output in outputs.outputs(design)]
        self.assertEqual(names, ["grant[0]", "grant[1]", "grant[2]", "grant_valid", "grant_kid"])
        fair = outputs.faults(design, proof("rbmi", "fair"), "three")
        self.assertEqual(fair[2].options, tuple(f"stuck output: bit 2 of grant at {v}" for v in (1, 0)))

    def test_stuck_at_what_it_always_is_is_no_fault(self):
        """Without QBMI there is no quota; stuck at 1 it is wrong."""
        design = sound(COTENANT, "mem_issue", "2-smil-rbmi", self.folder)
        found = outputs.faults(design, proof("mem_issue", "equal"), "2-smil-rbmi")
        quotas = [fault.words for fault in found if fault.output.port == "quota"]
        self.assertEqual(quotas, [f"stuck output: quota[{i}] at 1" for i in (0, 1)])

    def test_a_verdict_is_kept_until_the_fault_engine_changes(self):
        """Its digest is of the sound unit, the fault's words and what makes a fault of them."""
        one = proof("smil", "equal")
        fault, other = outputs.faults(self.design, one, "small")[:2]
        first = decide(Job(one, "small", fault), COTENANT, self.folder)
        job = Job(one, "small", fault)
        self.assertTrue(decide(job, COTENANT, self.folder, first.digest).recorded)
        # What that leaves is in nobody's way.
        self.assertEqual(decide(job, COTENANT, self.folder).verdict, "refuted")
        self.assertFalse(
            decide(Job(one, "small", other), COTENANT, self.folder, first.digest).recorded
        )
        engine = self.folder / "apply.rs"
        engine.write_text("another")
        with mock.patch.object(record, "FAULT_ENGINE", [engine]):
            self.assertFalse(decide(job, COTENANT, self.folder, first.digest).recorded)

    def test_what_a_search_does_not_find_is_decided(self):
        """A unit without a fault is proven, not taken for refuted."""
        one = proof("rbmi", "equal")
        searching = mock.Mock(decide=refute.decide, bound=engines.bound)
        with mock.patch("prove.jobs.engines", searching):
            found = decide(Job(one, "small"), COTENANT, self.folder)
        self.assertEqual(found.verdict, "proven")


if __name__ == "__main__":
    unittest.main()
