"""Rationale: a test that no command runs is not missed by anyone. So the commands for programs of one
subject and of many are those that cargo's messages and the programs' own lists ask for, each test
in exactly one; and a program that lists nothing is an error."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "test-programs"
LISTED = ["waves::first: test", "area::part::deep: test", "area::top: test", "area::speed: benchmark"]


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, name, listed):
        """A program that says which tests it has, and what it was called with."""
        path = self.folder / name
        lines = "".join(f"  echo '{line}'\n" for line in listed)
        path.write_text(f"#!/bin/sh\nif [ \"$1\" = --list ]; then\n  :\n{lines}else\n  echo \"$@\"\nfi\n")
        path.chmod(0o755)
        return path

    def message(self, name, path, test=True):
        return json.dumps({
            "executable": str(path), "profile": {"test": test}, "target": {"name": name},
            "manifest_path": str(self.folder / "Cargo.toml"),
        })

    def run_script(self, *messages):
        file = self.folder / "tests.json"
        file.write_text("".join(f"{message}\n" for message in messages))
        return subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True)

    def played(self, *messages):
        """What the commands call the programs with, in order."""
        result = self.run_script(*messages)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        ran = [subprocess.check_output(["sh", "-c", line], text=True) for line in result.stdout.splitlines()]
        return [line.strip() for line in ran]

    def test_a_command_for_each_subject_has_its_tests_and_no_other(self):
        many = self.message("all", self.program("all-1", LISTED))
        self.assertEqual(self.played(many), [
            "--quiet --exact area::part::deep area::top",
            "--quiet --exact waves::first",
        ])

    def test_other_programs_are_one_command_and_no_benchmarks(self):
        one = self.message("netlists", self.program("netlists-1", LISTED))
        bench = self.message("engines", self.program("engines-1", []), test=False)
        self.assertEqual(self.played(one, bench, '{"reason":"build-finished"}'), ["--quiet"])

    def test_the_longest_come_first(self):
        many = self.message("all", self.program("all-1", ["area::x: test", "faults::x: test", "a::x: test"]))
        self.assertEqual([line.split()[-1] for line in self.played(many)], ["area::x", "faults::x", "a::x"])

    def test_nothing_to_run_is_an_error(self):
        for messages in [[], [self.message("all", self.program("all-1", []))]]:
            result = self.run_script(*messages)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("no test", result.stderr)


if __name__ == "__main__":
    unittest.main()
