"""The wheel as it is used. Rationale: numbers must pass the border unchanged (flags, values, masks,
elements, more than 64 bits), what does not fit must be told and change nothing, and arrays must be
read as what they are: replay and attribution are compared with a cache and a Shapley value of a few
lines of Python."""

import ast
import copy
import doctest
import itertools
import math
import random
import threading
import unittest
from pathlib import Path

import numpy as np

import cotenant
from cotenant import Model, Stimulus, Use, _native, attribute, replay


def lru(accesses, sets, ways, line):
    """By access (kernel, address) whether it hits."""
    stacks = [[] for _ in range(sets)]
    for _, address in accesses:
        number = address // line
        stack = stacks[number % sets]
        hit = number in stack
        if hit:
            stack.remove(number)
        stack.insert(0, number)
        del stack[ways:]
        yield hit


def shapley(accesses, sets, ways, line, kernels):
    """Misses of each kernel that each other one causes, by all coalitions."""

    def misses(victim, others):
        kept = [one for one in accesses if one[0] == victim or one[0] in others]
        hits = zip(kept, lru(kept, sets, ways, line))
        return sum(not hit for (kernel, _), hit in hits if kernel == victim)

    shares = np.zeros((kernels, kernels))
    for victim in range(kernels):
        others = [kernel for kernel in range(kernels) if kernel != victim]
        shares[victim][victim] = misses(victim, ())
        for order in itertools.permutations(others):
            for at, aggressor in enumerate(order):
                more = misses(victim, order[: at + 1]) - misses(victim, order[:at])
                shares[victim][aggressor] += more / math.factorial(len(others))
    return shares


class Models(unittest.TestCase):
    def test_documentation(self):
        failures, tests = doctest.testmod(cotenant)
        self.assertEqual(failures, 0)
        self.assertGreater(tests, 5)

    def test_the_page(self):
        page = Path(__file__).parents[3] / "docs" / "bindings.md"
        blocks = page.read_text(encoding="utf-8").split("```python\n")[1:]
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            exec(block.split("```")[0], {})

    def test_units(self):
        self.assertIn("gdcu", cotenant.units())
        self.assertEqual(
            cotenant.parameters("gdcu")[2:],
            [
                {"name": "CNT_W", "min": "pos_w(WAYS)", "max": 64, "usual": None},
                {"name": "STAGES", "min": 0, "max": 3, "usual": 1},
            ],
        )
        for unit in cotenant.units():
            self.assertTrue(cotenant.parameters(unit))

    def test_lru_stack(self):
        model = Model("lru_stack", "24x6")
        self.assertEqual(model.unit, "lru_stack")
        self.assertEqual(model.parameters, {"WAYS": 24, "KERNELS": 6})
        self.assertTrue(model.clocked)
        order = list(range(24))
        random.seed(1)
        filled = 0
        for _ in range(500):
            out = model.step({})
            # 120 bits, 5 for each way.
            self.assertEqual(out["stack_way"], sum(way << 5 * at for at, way in enumerate(order)))
            hit = filled and random.random() < 0.6
            way = order[random.randrange(filled)] if hit else order[-1]
            inputs = {"access_valid": True, "access_hit": bool(hit), "access_way": way}
            self.assertIsNone(model.legal(inputs))
            model.step(inputs)
            filled = filled if hit else min(filled + 1, 24)
            order.remove(way)
            order.insert(0, way)
        self.assertEqual(model.state["way"], order)

    def test_packed_ports_as_numbers_and_sequences(self):
        model = Model("gdcu", "33x5x21")
        owners = [at % 5 for at in range(33)]
        whole = sum(owner << 3 * at for at, owner in enumerate(owners))
        access = {"access_valid": 1, "access_pos": 33, "stack_valid": 2**33 - 1}
        counts = []
        for value in (whole, owners, tuple(owners), np.array(owners)):
            model.reset()
            model.step({**access, "stack_owner": value})
            model.step({})
            counts.append(model.state["count"])
        self.assertEqual(counts[0][0][0], 7)
        self.assertTrue(all(count == counts[0] for count in counts))

    def test_what_is_wrong_is_told(self):
        for unit, parameters, message in [
            ("gdc", "4x4x21", "there is no unit 'gdc'; the nearest is 'gdcu'"),
            ("gdcu", "65x4x21", "gdcu: ways is 65, expected 1 to 64"),
            ("gdcu", "4x4x21,WAY=3", "gdcu: there is no parameter 'WAY'"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                Model(unit, parameters)
        model = Model("gdcu", "4x4x21")
        before = model.state
        for inputs, message in [
            ({"acess_valid": 1}, "there is no input 'acess_valid'; the inputs are reset, access_valid"),
            ({"access_pos": 8}, "access_pos is 8, expected at most 7"),
            ({"access_pos": -1}, "access_pos is -1, expected a number of 3 bits"),
            ({"access_pos": 2**64}, "access_pos is 18446744073709551616, expected a number of 3 bits"),
            ({"access_pos": "x"}, "access_pos is x, expected a number or a sequence"),
            ({"access_pos": 1.5}, "access_pos is 1.5, expected a number or a sequence"),
            ({"stack_owner": [1, 2, 3]}, "stack_owner has 3 elements, expected 4"),
            ({"stack_owner": [1, 2, 3, 4]}, r"stack_owner\[3\] is 4, expected at most 3"),
            ({"stack_valid": 16}, "stack_valid is 0x10, expected no bit from 4 up"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                model.step({"access_valid": 1, **inputs})
            self.assertEqual(model.state, before)
        illegal = {"access_valid": 1, "access_pos": 5}
        self.assertEqual(model.legal(illegal), "access_pos is 5, expected at most 4")
        with self.assertRaises(KeyError):
            model.register("nothing")
        with self.assertRaisesRegex(ValueError, "the state is one of gdcu"):
            Model("lru_stack", "2x2").restore(model)

    def test_saved_states(self):
        model = Model("gdcu", "4x4x21")
        saved, copied = model.save(), copy.copy(model)
        model.step({"snapshot": 1})
        self.assertEqual(model.register("sequence_number"), 1)
        self.assertEqual(copied.register("sequence_number"), 0)
        model.restore(saved)
        self.assertEqual(model.register("sequence_number"), 0)
        self.assertEqual(repr(model), "Model('gdcu', 'WAYS=4,KERNELS=4,CNT_W=21,STAGES=1')")

    def test_threads(self):
        model = Model("gdcu", "4x4x21")

        def snapshots():
            for _ in range(1000):
                model.step({"snapshot": 1})

        threads = [threading.Thread(target=snapshots) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(model.register("sequence_number"), 4000 % 256)

    def test_types_are_those_of_what_there_is(self):
        stub = Path(_native.__file__).with_name("_native.pyi")
        self.assertTrue(stub.with_name("py.typed").exists())
        public = lambda names: {name for name in names if not name.startswith("_")}
        tree = {
            node.name: node
            for node in ast.parse(stub.read_text(encoding="utf-8")).body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        }
        # A dictionary's type is no class that there is.
        self.assertEqual(set(tree) - {"Parameter"}, public(dir(_native)))
        for name, node in tree.items():
            self.assertTrue(ast.get_docstring(node), name)
            if name in ("Model", "Port", "Stimulus"):
                members = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
                self.assertEqual(public(members), public(dir(getattr(_native, name))), name)


class Stimuli(unittest.TestCase):
    def drawn(self, unit, parameters, cycles, **chosen):
        model = Model(unit, parameters)
        run = []
        for inputs in itertools.islice(Stimulus(model, **chosen), cycles):
            self.assertIsNone(model.legal(inputs))
            model.step(inputs)
            run.append(inputs)
        return run

    def test_inputs_are_legal_and_the_same_again(self):
        for unit, parameters in [("lru_stack", "24x6"), ("mem_issue", "KERNELS=2")]:
            run = self.drawn(unit, parameters, 500, seed=1)
            self.assertEqual(run[0]["reset"], 1)
            self.assertEqual(run, self.drawn(unit, parameters, 500, seed=1))
            self.assertNotEqual(run, self.drawn(unit, parameters, 500, seed=2))
        hits = self.drawn("lru_stack", "4x2", 500, profile="hits")
        accesses = [one["access_hit"] for one in hits[2:] if one["access_valid"]]
        self.assertGreater(sum(accesses), 0.8 * len(accesses))

    def test_the_directed_part_is_in_front(self):
        model = Model("counter_matrix", "KERNELS=2,INC_W=2,CNT_W=4")
        self.assertEqual(Stimulus(model).directed, 0)
        stimulus = Stimulus(model, directed=4000)
        self.assertTrue(0 < stimulus.directed <= 4000)
        full = 0
        for inputs in itertools.islice(stimulus, 2 + stimulus.directed):
            model.step(inputs)
            full |= 15 in sum(model.state["count"], [])
        self.assertTrue(full)

    def test_a_model_that_is_put_back_is_taken_as_it_is(self):
        model = Model("lru_stack", "4x2")
        empty, stimulus = model.save(), Stimulus(model, profile="hits+skewed")
        self.assertIs(stimulus.model, model)
        self.assertIs(iter(stimulus), stimulus)
        self.assertEqual(repr(stimulus), "<Stimulus of lru_stack WAYS=4,KERNELS=2>")
        for at, inputs in enumerate(itertools.islice(stimulus, 300)):
            self.assertIsNone(model.legal(inputs))
            model.step(inputs)
            if at % 50 == 0:
                model.restore(empty)

    def test_what_is_wrong_is_told(self):
        model = Model("popcnt", "8")
        self.assertEqual(cotenant.profiles("popcnt"), ["uniform", "invalid-ways", "saturation"])
        with self.assertRaisesRegex(ValueError, "the nearest is 'gdcu'"):
            cotenant.profiles("gdc")
        with self.assertRaisesRegex(ValueError, "popcnt has no profile 'hits'; its profiles are"):
            Stimulus(model, profile="uniform+hits")
        for seed in (-1, 2**64):
            with self.assertRaises(OverflowError):
                Stimulus(model, seed=seed)
        with self.assertRaises(TypeError):
            Stimulus("popcnt", "8")


class Arrays(unittest.TestCase):
    def setUp(self):
        random.seed(3)
        kernels = [random.randrange(3) for _ in range(800)]
        # No line is used by two kernels.
        self.accesses = [(one, 4096 * one + 32 * random.randrange(24)) for one in kernels]
        self.kernels, self.addresses = map(np.array, zip(*self.accesses))

    def test_replay_is_a_cache(self):
        found = replay(self.kernels, self.addresses, sets=2, ways=4, line=32)
        hits = list(lru(self.accesses, 2, 4, 32))
        self.assertEqual(found.hit.tolist(), hits)
        self.assertEqual(found.hits, sum(hits))
        self.assertEqual(found.kernel_accesses.tolist(), np.bincount(self.kernels).tolist())
        self.assertEqual(found.evictions, found.ike.sum())
        self.assertEqual(found.occupancy.sum(), 8)
        self.assertEqual(found.misses - found.evictions, 8)

    def test_attribution_is_shapleys_value(self):
        found = attribute(self.kernels, self.addresses, sets=2, ways=4, line=32)
        self.assertEqual(found.unit, 2)
        wanted = shapley(self.accesses, 2, 4, 32, 3)
        np.testing.assert_allclose(found.shares, wanted, rtol=0, atol=1e-9)
        self.assertEqual([[2 * share for share in row] for row in wanted.round(6)], found.exact)
        hits = list(lru(self.accesses, 2, 4, 32))
        self.assertEqual((found.use == Use.HIT).tolist(), hits)
        self.assertEqual(found.shared_lines, 0)

    def test_any_integers_are_taken_and_nothing_else(self):
        kernels, addresses = self.kernels, self.addresses
        first = replay(kernels, addresses, sets=2, ways=4)
        for other in (
            (kernels.tolist(), addresses.tolist()),
            (kernels.astype(np.int16), addresses.astype(np.uint64)),
            (np.repeat(kernels, 2)[::2], np.repeat(addresses, 2)[::2]),
        ):
            self.assertEqual(replay(*other, sets=2, ways=4).hits, first.hits)
        for given, message in [
            ((kernels, addresses[1:]), "there are 799 addresses, expected 800"),
            ((kernels + 0.5, addresses), "kernels are float64, expected integers"),
            ((kernels + 254, addresses), "kernels contain 256, expected 0 to 255"),
            ((kernels, addresses - 1), "addresses contain -1, expected 0 to"),
            ((kernels + 62, addresses), "kernels is 65, expected 1 to 64"),
            ((kernels[None], addresses), "kernels have 2 dimensions, expected 1"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                replay(*given, sets=2, ways=4)
        with self.assertRaisesRegex(ValueError, "access 0: kernel is 2|kernel is 2"):
            replay(kernels, addresses, sets=2, ways=4, kernel_count=2)
        with self.assertRaisesRegex(ValueError, "sets is 3, expected a power of two"):
            attribute(kernels, addresses, sets=3, ways=4)
        with self.assertRaisesRegex(ValueError, "there are 1 writes, expected 800"):
            replay(kernels, addresses, sets=2, ways=4, writes=[True])
        with self.assertRaisesRegex(ValueError, "kernels is 17, expected 1 to 16"):
            attribute(kernels, addresses, sets=2, ways=4, kernel_count=17)
        self.assertEqual(replay([], [], sets=2, ways=4).accesses, 0)


if __name__ == "__main__":
    unittest.main()
