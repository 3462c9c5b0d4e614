"""Rationale: one package too many is refused, one at the limit is not; the crate itself does not
count, and a lock file that is not the crate's says nothing."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import light  # noqa: E402

MANIFEST = '[workspace]\n\n[package]\nname = "mine"\n'


def lock(*names):
    each = (f'[[package]]\nname = "{name}"\nversion = "1.{at}.0"\n' for at, name in enumerate(names))
    return "# Cargo's.\nversion = 4\n\n" + "\n".join(each)


class Packages(unittest.TestCase):
    def test_all_but_the_crate_count(self):
        found = light.packages(lock("rand", "mine", "rand", "serde"), MANIFEST)
        self.assertEqual(found, [("rand", "1.0.0"), ("rand", "1.2.0"), ("serde", "1.3.0")])

    def test_one_too_many_is_named(self):
        found = light.packages(lock("mine", "rand", "clap"), MANIFEST)
        self.assertIsNone(light.too_many(found, 2))
        self.assertEqual(light.too_many(found, 1), "2 packages, expected at most 1: clap 1.2.0, rand 1.1.0")

    def test_another_lock_file_is_refused(self):
        with self.assertRaisesRegex(light.LightError, "no package mine"):
            light.packages(lock("rand"), MANIFEST)

    def test_the_hardware_would_be_too_many(self):
        """What a feature of the hardware in the example's manifest would bring."""
        manifest = (light.ROOT / light.EXAMPLE / "Cargo.toml").read_text(encoding="utf-8")
        self.assertIn('features = ["proptest"]', manifest)
        manifest = manifest.replace('features = ["proptest"]', 'features = ["lockstep"]')
        manifest = manifest.replace('path = "../..', f'path = "{light.ROOT}')
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "Cargo.toml").write_text(manifest, encoding="utf-8")
            (folder / "src").mkdir()
            (folder / "src/lib.rs").touch()
            shutil.copyfile(light.ROOT / "Cargo.lock", folder / "Cargo.lock")
            command = ["cargo", "update", "--workspace", "--offline", "--quiet"]
            subprocess.run(command, cwd=folder, check=True)
            found = light.packages((folder / "Cargo.lock").read_text(encoding="utf-8"), manifest)
        self.assertIn("packages, expected at most", light.too_many(found, light.MOST))


if __name__ == "__main__":
    unittest.main()
