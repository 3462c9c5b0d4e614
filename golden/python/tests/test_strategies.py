"""Rationale: runs must be what the unit may be driven with, a mistake must be found and the run that
shows it short, and arguments that mean nothing must be refused before a run is drawn. The module needs
Hypothesis, the package does not."""

import doctest
import itertools
import subprocess
import sys
import unittest

from hypothesis import Phase, find, given, settings

from cotenant import Model, strategies

# Without files of examples, and the same each time.
ALIKE = settings(database=None, derandomize=True, max_examples=50, deadline=None)


class Lru:
    """An LRU stack with a mistake, if wanted: a hit leaves the line to its owner."""

    def __init__(self, ways, mistake=False):
        self.ways, self.mistake = ways, mistake
        self.flush()

    def flush(self):
        self.stack = [(way, 0, 0) for way in range(self.ways)]

    def step(self, inputs):
        owners = [owner for _, owner, _ in self.stack]
        ways = [way for way, _, _ in self.stack]
        way = inputs["access_way"]
        if inputs["reset"] or inputs["flush"]:
            self.flush()
        elif inputs["invalidate_valid"]:
            way, owner, _ = self.stack.pop(ways.index(inputs["invalidate_way"]))
            self.stack.append((way, owner, 0))
        elif inputs["access_valid"] and inputs["access_hit"]:
            way, owner, valid = self.stack.pop(ways.index(way))
            self.stack.insert(0, (way, owner if self.mistake else inputs["access_kid"], valid))
        elif inputs["access_valid"]:
            way, _, _ = self.stack.pop()
            self.stack.insert(0, (way, inputs["access_kid"], 1))
        return owners


def differs(run, mistake):
    """Whether the owners that the stack tells are others than the model's."""
    mine = Lru(4, mistake)
    owners = [(mine.step(one), one.outputs["stack_owner"]) for one in run]
    return any(sum(owner << at for at, owner in enumerate(got)) != wanted for got, wanted in owners)


class Runs(unittest.TestCase):
    def test_documentation(self):
        failures, tests = doctest.testmod(strategies)
        self.assertEqual(failures, 0)
        self.assertGreater(tests, 3)

    def test_runs_are_legal_for_any_unit(self):
        for unit, parameters in [("lru_stack", "4x2"), ("mem_issue_apb", "KERNELS=2"), ("popcnt", "8")]:

            @ALIKE
            @given(strategies.runs(unit, parameters, min_size=3, max_size=40))
            def legal(run):
                self.assertTrue(3 <= len(run) <= 40)
                model = Model(unit, parameters)
                for inputs in run:
                    self.assertIsNone(model.legal(inputs))
                    self.assertEqual(model.step(inputs), inputs.outputs)

            legal()

    def test_a_right_stack_passes(self):
        @ALIKE
        @given(strategies.runs("lru_stack", "4x2"))
        def right(run):
            self.assertFalse(differs(run, mistake=False))

        right()

    def test_a_mistake_is_found_and_the_run_is_short(self):
        runs = strategies.runs("lru_stack", "4x2")
        wanted = settings(ALIKE, max_examples=300, phases=[Phase.generate, Phase.shrink])
        run = find(runs, lambda run: differs(run, mistake=True), settings=wanted)
        # Shorter by one cycle it shows nothing.
        self.assertFalse(differs(run[:-1], mistake=True))
        self.assertLess(len(run), 60)

    def test_cycles_go_on(self):
        some = strategies.cycles("rbmi", "3", profile="uniform", seed=5)
        some = list(itertools.islice(some, 300))
        again = itertools.islice(strategies.cycles("rbmi", "3", profile="uniform", seed=5), 300)
        self.assertEqual(some, list(again))
        self.assertEqual({len(one.outputs) for one in some}, {len(Model("rbmi", "3").outputs)})

    def test_what_is_wrong_is_told_at_once(self):
        for arguments, message in [
            (("gdc", "4x4x21"), "there is no unit 'gdc'"),
            (("gdcu", "65x4x21"), "ways is 65, expected 1 to 64"),
            (("popcnt", "8", "hits"), "popcnt has no profile 'hits'"),
            (("popcnt", "8", None, 5, 4), "sizes are 5 to 4"),
            (("popcnt", "8", None, -1), "sizes are -1 to 200"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                strategies.runs(*arguments)

    def test_the_package_needs_no_hypothesis(self):
        hidden = "import sys; sys.modules['hypothesis'] = None; import cotenant"
        subprocess.run([sys.executable, "-c", hidden], check=True)
        without = [sys.executable, "-c", f"{hidden}.strategies"]
        ran = subprocess.run(without, capture_output=True, text=True)
        self.assertIn("hypothesis", ran.stderr)
        self.assertNotEqual(ran.returncode, 0)


if __name__ == "__main__":
    unittest.main()
