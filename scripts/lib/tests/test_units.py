"""Rationale: a missing line of `mod.rs` must be seen, and written where a person would write it;
what people wrote there must stay. So each line of each unit is taken out of the real files and must
come back in its place; units are added to a copy, in an area that there is and in a new one, and
removed again."""

import contextlib
import io
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import units  # noqa: E402

FOLDERS = [crate.folder for crate in units.CRATES]


class Tree(unittest.TestCase):
    """A copy of the areas and of what declares them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for crate in FOLDERS:
            shutil.copytree(units.ROOT / crate, self.root / crate)

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name, text):
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def run_units(self, *arguments):
        """Exit code, and what is printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = units.main(arguments, self.root)
        return code, said.getvalue()

    def add(self, area, unit, kind):
        """A unit with its three files and its line in the registry."""
        for crate in FOLDERS:
            self.write(f"{crate}/{area}/{unit}.rs", f"//! It.\npub struct {kind};\n")
        text = self.read(units.REGISTRY)
        line = f"            {unit}: {area}::{kind} {{ 2 }}\n"
        self.write(units.REGISTRY, text.replace("            rbmi:", f"{line}            rbmi:"))


class TheTree(Tree):
    def test_nothing_is_missing(self):
        self.assertEqual(self.run_units("--check"), (0, ""))

    def test_each_line_of_a_unit_comes_back_in_its_place(self):
        taken = 0
        for area, unit in units.registered(self.read(units.REGISTRY)):
            for crate in FOLDERS:
                name = f"{crate}/{area}/mod.rs"
                if not (self.root / crate / area / f"{unit}.rs").exists():
                    # Behind a bus some files are of two units.
                    self.assertEqual(area, "bus")
                    continue
                text = self.read(name)
                lines = re.findall(rf"^(?:pub.*)?mod {unit};\n|^pub use {unit}::.*;\n", text, re.M)
                for line in lines:
                    with self.subTest(file=name, line=line):
                        self.write(name, text.replace(line, ""))
                        code, said = self.run_units("--check")
                        self.assertEqual(code, 1)
                        self.assertEqual(said, f"{name} lacks '{line[:-1]}'\nrun scripts/units\n")
                        self.assertEqual(self.run_units()[0], 0)
                        self.assertEqual(self.read(name), text)
                        taken += 1
        self.assertGreater(taken, 60)


class NewUnits(Tree):
    def test_in_an_area_that_there_is(self):
        before = {crate: self.read(f"{crate}/mgmt/mod.rs") for crate in FOLDERS}
        self.add("mgmt", "new_unit", "NewUnit")
        self.write("hdl/units/src/mgmt/a_part.rs", "//! It.\npub struct APart;\n")
        self.assertEqual(self.run_units()[0], 0)
        self.assertEqual(self.run_units("--check"), (0, ""))
        after = {crate: self.read(f"{crate}/mgmt/mod.rs") for crate in FOLDERS}
        added = [
            sorted(set(after[crate].splitlines()) - set(before[crate].splitlines()))
            for crate in FOLDERS
        ]
        use = "pub use new_unit::NewUnit;"
        golden = ["pub mod new_unit;"]
        hdl = ["mod a_part;", "pub use a_part::APart;", use, "pub(crate) mod new_unit;"]
        self.assertEqual(added, [golden, hdl, [*golden, use]])
        # Nothing is lost, and each kind of line is in order, parts behind units.
        for crate in FOLDERS:
            lines = after[crate].splitlines()
            self.assertLessEqual(set(before[crate].splitlines()), set(lines))
            # What a feature switches off is apart.
            always = [line for at, line in enumerate(lines) if not lines[at - 1].startswith("#[cfg")]
            for start in ("pub mod ", "pub(crate) mod ", "mod ", "pub use "):
                kind = [line for line in always if line.startswith(start)]
                self.assertEqual(kind, sorted(kind), crate)
        self.assertLess(
            after["hdl/units/src"].index("mod umon;"), after["hdl/units/src"].index("mod a_part;")
        )

    def test_in_a_new_area(self):
        self.add("arb", "new_unit", "NewUnit")
        code, said = self.run_units("--check")
        self.assertEqual(code, 1)
        self.assertIn("golden/src/lib.rs lacks 'pub mod arb;'\n", said)
        self.assertEqual(self.run_units()[0], 0)
        self.assertEqual(self.run_units("--check"), (0, ""))
        for crate in units.CRATES:
            text = self.read(f"{crate.folder}/arb/mod.rs")
            self.assertTrue(text.startswith("//! ") and "mod new_unit;\n" in text, text)
            top = self.read(f"{crate.folder}/{crate.top}")
            self.assertIn("\npub mod arb;\npub mod bus;\n", top)
        self.assertEqual(
            self.read("hdl/units/src/arb/mod.rs"),
            "//! Units of the area `arb`.\n\n"
            "pub(crate) mod new_unit;\n\npub use new_unit::NewUnit;\n",
        )

    def test_a_part_becomes_a_unit(self):
        text = self.read("hdl/units/src/llc/mod.rs")
        self.add("llc", "count6", "Count6")
        self.assertEqual(self.run_units()[0], 0)
        expected = text.replace("\nmod count6;", "\npub(crate) mod count6;")
        self.assertEqual(self.read("hdl/units/src/llc/mod.rs"), expected)

    def test_what_is_gone_is_removed(self):
        names = [f"{crate}/mgmt/mod.rs" for crate in FOLDERS]
        before = [self.read(name) for name in names]
        registry = self.read(units.REGISTRY)
        self.add("mgmt", "new_unit", "NewUnit")
        self.run_units()
        self.write(units.REGISTRY, registry)
        for crate in FOLDERS:
            (self.root / crate / "mgmt/new_unit.rs").unlink()
        code, said = self.run_units("--check")
        self.assertEqual(code, 1)
        self.assertIn("mgmt/mod.rs has no file for 'pub use new_unit::NewUnit;'", said)
        self.assertEqual(self.run_units()[0], 0)
        self.assertEqual([self.read(name) for name in names], before)


if __name__ == "__main__":
    unittest.main()
