"""What somebody gets who wants the golden models and the stimulus, and nothing else.

Crates outside of the workspace depend on them as a user's do: examples/property-test, and
examples/marlin and examples/pipe with a design in Verilog. Their tests are run, and the packages in the lock file of the
former counted: a dependency that slips into a module that is not cut, or a feature that somebody takes
into it, would otherwise be seen by users only.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = "examples/property-test"
VERILOG = ["examples/marlin", "examples/pipe"]
# Packages in the lock file besides the crate itself: proptest and its own are half of them.
MOST = 60

_PACKAGE = re.compile(r'^\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"', re.MULTILINE)
_OWN = re.compile(r'^name = "([^"]+)"', re.MULTILINE)


class LightError(Exception):
    """It cannot be said how many packages there are."""


def packages(lock, manifest):
    """The packages of a lock file, as name and version, without the crate of the manifest."""
    own = _OWN.search(manifest)
    found = _PACKAGE.findall(lock)
    if not own or own[1] not in {name for name, _ in found}:
        raise LightError(f"the lock file has no package {own[1] if own else '(no name)'}")
    return sorted(package for package in found if package[0] != own[1])


def too_many(found, most):
    """What to say of more packages than there may be, if there are."""
    if len(found) <= most:
        return None
    names = ", ".join(f"{name} {version}" for name, version in found)
    return f"{len(found)} packages, expected at most {most}: {names}"


def cargo(example, *arguments):
    """Has cargo do something in an example, with what the workspace has locked."""
    ran = subprocess.run(["cargo", *arguments], cwd=ROOT / example)
    if ran.returncode:
        raise LightError(f"{example}: cargo {' '.join(arguments)}: exit code {ran.returncode}")


def tested(example):
    """Runs the tests of an example; the path of its lock file."""
    lock = ROOT / example / "Cargo.lock"
    # The same versions; cargo drops what the crate does not need.
    shutil.copyfile(ROOT / "Cargo.lock", lock)
    cargo(example, "fmt", "--check")
    cargo(example, "test", "--quiet", "--target-dir", str(ROOT / "target/light"))
    return lock


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--most", type=int, default=MOST, help="packages that there may be (%(default)s)")
    chosen = parser.parse_args(arguments)
    try:
        lock = tested(EXAMPLE)
        for example in VERILOG:
            tested(example)
        manifest = (ROOT / EXAMPLE / "Cargo.toml").read_text(encoding="utf-8")
        found = packages(lock.read_text(encoding="utf-8"), manifest)
    except LightError as error:
        print(f"light: {error}", file=sys.stderr)
        return 2
    problem = too_many(found, chosen.most)
    if problem:
        print(f"light: {problem}", file=sys.stderr)
        return 1
    print(f"{len(found)} packages in the lock file, of {chosen.most} that there may be")
    return 0
