"""Rationale: a tutorial is typed as it stands, by someone who cannot tell whose error it is when
something else comes. So each of its commands is run, and what it shows must be what comes; a
command that fails, a line that is not printed and one that is left out are each seen.

Needs COTENANT or target/debug/cotenant, and the tools of scripts/setup.
"""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
LIB = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(LIB))

from book import contents, tutorial  # noqa: E402
from program import cotenant  # noqa: E402

ROOT = contents.ROOT


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()


class Tutorials(Folder):
    def played(self, page):
        """Runs a tutorial in a folder that has of the repository what it needs."""
        os.environ.setdefault("COTENANT", str(ROOT / "target/debug/cotenant"))
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "cotenant").symlink_to(cotenant())
        # Copied: scripts find what is beside and above them, and write below `out`.
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        (self.folder / "out/tutorial").mkdir(parents=True)
        environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "COTENANT": str(cotenant()),
            # Compilers take longer than what they compile.
            "CXX_OPT": "-O0",
            "VERILATOR_FLAGS": "-O1",
        }
        text = (ROOT / contents.TUTORIALS / page).read_text(encoding="utf-8")
        self.assertGreater(tutorial.run(text, self.folder, environment), 1)


def _add_tutorials():
    """A test for each page of the folder except its index."""
    pages = sorted((ROOT / contents.TUTORIALS).glob("*.md"))
    for page in pages:
        if page.name != "README.md":
            name = f"test_{page.stem.replace('-', '_')}"
            setattr(Tutorials, name, lambda self, page=page.name: self.played(page))
    return len(pages)


if _add_tutorials() < 7:
    raise AssertionError(f"{contents.TUTORIALS} has too few pages")


class Commands(Folder):
    def failure(self, page):
        with self.assertRaises(tutorial.TutorialError) as raised:
            tutorial.run(page, self.folder)
        return str(raised.exception)

    def test_commands_and_files_of_a_page_are_found(self):
        page = (
            "# A\n```text\n# out/a/b.txt\nthree\n```\n```text\nno file\n```\n1. List\n\n"
            "   ```console\n   $ cat out/a/b.txt\n   ...\n   three\n   $ echo one \\\n"
            "       two\n   one ...\n   ```\n```sh\ntest -s out/a/b.txt\n```\n"
        )
        self.assertEqual(tutorial.run(page, self.folder), 3)

    def test_a_command_that_fails_is_seen(self):
        self.assertIn("exit code 1", self.failure("```console\n$ false\n```\n"))
        self.assertIn("exit code 1", self.failure("```sh\ntrue\nfalse\ntrue\n```\n"))
        self.assertIn("exit code 1", self.failure("```sh\nfalse | cat\n```\n"))

    def test_other_output_than_shown_is_seen(self):
        for shown in ("two", "one\ntwo", "...\ntwo", "one ... two", "on"):
            page = f"```console\n$ echo one\n{shown}\n```\n"
            self.assertIn("expected", self.failure(page), shown)
        self.assertIn("nothing more", self.failure("```console\n$ echo -e 'a\\nb'\na\n```\n"))
        self.assertIn("expected c", self.failure("```console\n$ echo -e 'a\\nb\\nc'\na\nc\n```\n"))

    def test_what_is_left_out_may_be_anything(self):
        for shown in ("", "...", "a\n...", "...\nc", "a\n...\nc", "a\nb\nc", "a\n... \n..."):
            below = f"{shown}\n" if shown else ""
            page = f"```console\n$ echo -e 'a\\nb\\nc'\n{below}```\n"
            self.assertEqual(tutorial.run(page, self.folder), 1, shown)

    def test_output_before_a_command_is_an_error(self):
        self.assertIn("before any command", self.failure("```console\nx\n$ true\n```\n"))


if __name__ == "__main__":
    unittest.main()
