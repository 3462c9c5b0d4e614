"""Rationale: a package that lacks a file, or a manifest that crates.io refuses, is found when it is too
late, by whoever publishes or uses it. So a workspace of two small crates is checked as it is, and then
with one thing broken at a time, and each must be named. Cargo itself makes the packages, offline."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import publish  # noqa: E402

MANIFEST = """\
[package]
name = "{name}"
version = "0.1.0"
edition = "2021"
rust-version = "1.86"
description = "For a test"
license = "MIT"
readme = "README.md"
keywords = ["test"]
categories = ["simulation"]
{more}"""
SOURCE = """\
//! Text. `include_str!("../in/documentation.txt")` is none.
// include_str!("../in/a/comment.txt")
pub const TEXT: &str = include_str!("../data/text.txt");
macro_rules! named {
    ($name:literal) => {
        include_str!(concat!(
            "../data/",
            $name,
            ".txt"
        ))
    };
}
pub const NAMED: &str = named!("text");
"""


class Workspace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("Cargo.toml", '[workspace]\nresolver = "2"\nmembers = ["low", "high", "wheel"]\n')
        self.write("outside.txt", "outside")
        low = '[dependencies]\nlow = { path = "../low", version = "0.1.0" }\n'
        for name, more in (("low", ""), ("high", low), ("wheel", "publish = false\n")):
            self.write(f"{name}/Cargo.toml", MANIFEST.format(name=name, more=more))
            self.write(f"{name}/README.md", f"# {name}\n")
            self.write(f"{name}/src/lib.rs", "//! Nothing.\n")
        self.write("low/src/lib.rs", SOURCE)
        self.write("low/data/text.txt", "text")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name, old, new):
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def run_script(self):
        """Exit code and what is printed."""
        printed = io.StringIO()
        offline = mock.patch.dict(os.environ, CARGO_NET_OFFLINE="true", CARGO_TARGET_DIR=str(self.root / "target"))
        with offline, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = publish.main(["--dry-run", "--root", str(self.root)])
        return code, printed.getvalue()

    def assert_refused(self, *words):
        code, says = self.run_script()
        self.assertEqual(code, 1, says)
        for word in words:
            self.assertIn(word, says)

    def test_what_is_complete_passes(self):
        self.assertEqual(self.run_script(), (0, "2 crates can be published\n"))

    def test_a_file_outside_of_the_crate(self):
        self.change("low/src/lib.rs", "../data/text.txt", "../../outside.txt")
        self.assert_refused("low: src/lib.rs includes ../../outside.txt, outside of the crate")

    def test_a_file_that_is_left_out(self):
        self.change("low/Cargo.toml", "keywords", 'exclude = ["/data"]\nkeywords')
        self.assert_refused("low: src/lib.rs includes ../data/text.txt, which is not in the package")

    def test_files_that_a_macro_names(self):
        self.change("low/src/lib.rs", 'include_str!("../data/text.txt")', '""')
        self.change("low/Cargo.toml", "keywords", 'exclude = ["/data"]\nkeywords')
        self.assert_refused("low: src/lib.rs includes ../data/*.txt, which is not in the package")

    def test_a_dependency_without_version(self):
        self.change("high/Cargo.toml", ', version = "0.1.0"', "")
        self.assert_refused("high: dependency low has no version")

    def test_a_dependency_that_is_not_published(self):
        self.change("low/Cargo.toml", "keywords", "publish = false\nkeywords")
        self.assert_refused("high: dependency low is not published")

    def test_metadata(self):
        for old, new, word in (
            ('description = "For a test"\n', "", "no description"),
            ('license = "MIT"\n', "", "no license"),
            ('rust-version = "1.86"\n', "", "no rust-version"),
            ('keywords = ["test"]\n', "", "0 keywords, of 1 to 5"),
            ('["test"]', '["two words"]', "keyword 'two words'"),
            ('["simulation"]', '["hdl"]', "category 'hdl' is not known"),
        ):
            with self.subTest(word):
                self.change("low/Cargo.toml", old, new)
                self.assert_refused(f"low: {word}")
                self.write("low/Cargo.toml", MANIFEST.format(name="low", more=""))

    def test_a_readme_that_is_not_there(self):
        (self.root / "high/README.md").unlink()
        self.assert_refused("README.md")

    def test_what_only_cargo_sees(self):
        self.change("high/Cargo.toml", 'version = "0.1.0" }', 'version = "0.2.0" }')
        self.assert_refused("low")

    def test_the_script_is_the_program(self):
        script = Path(publish.ROOT) / "scripts/publish"
        ran = subprocess.run([sys.executable, script], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--dry-run", ran.stderr)


class Includes(unittest.TestCase):
    def test_each_kind(self):
        text = """include_bytes!( "a" ); include!("b",); std::include_str!(concat!("c/", $d, "/e"));
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../f")); include_str!(#made);
            include!(concat!(env!("OUT_DIR"), "/made.rs"));"""
        self.assertEqual(list(publish.included(text)), ["a", "b", "c/*/e", "/../f"])

    def test_from_the_folder_of_the_crate(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "src").mkdir()
            (Path(folder) / "src/lib.rs").write_text(
                'include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../f")); include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/g"))'
            )
            found = list(publish.includes(Path(folder), {"src/lib.rs", "g"}))
        self.assertEqual(found, ["src/lib.rs includes /../f, outside of the crate"])


if __name__ == "__main__":
    unittest.main()
