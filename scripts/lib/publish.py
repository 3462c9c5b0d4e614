"""What crates.io and a user without this repository need of each crate that is published.

Cargo finds out whether a package has all files only by building it, and builds all dependencies
anew for that. So the files that sources include are looked up in cargo's own list of the package,
which takes a second; the metadata come from `cargo metadata`. Then cargo makes the packages, without
building them: it refuses dependencies that cannot be published.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Categories of https://crates.io/category_slugs that we use; crates.io drops others.
CATEGORIES = {
    "command-line-utilities",
    "compilers",
    "development-tools::ffi",
    "development-tools::procedural-macro-helpers",
    "development-tools::testing",
    "embedded",
    "encoding",
    "hardware-support",
    "parser-implementations",
    "simulation",
}
KEYWORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,19}")
INCLUDE = re.compile(r"\binclude(?:_str|_bytes)?!\s*\(\s*(concat!\s*\(.*?\)|\"[^\"]*\")\s*,?\s*\)", re.DOTALL)
ENV = re.compile(r"\benv!\s*\(\s*\"(\w+)\"\s*\)")
LITERAL = re.compile(r"\"([^\"]*)\"|\$?\b[A-Za-z_]\w*\b")
COMMENT = re.compile(r"^\s*//(?!!|/).*$", re.MULTILINE)
DOCUMENTATION = re.compile(r"^\s*//[!/].*$", re.MULTILINE)


class PublishError(Exception):
    """Cargo cannot be asked."""


def cargo(root, *arguments):
    """What cargo prints, or an error with what it says."""
    ran = subprocess.run(["cargo", *arguments], cwd=root, capture_output=True, text=True)
    if ran.returncode:
        raise PublishError(f"cargo {' '.join(arguments)}:\n{ran.stderr.strip()}")
    return ran.stdout


def members(root):
    """The packages of the workspace: those that are published, and the others' names."""
    known = json.loads(cargo(root, "metadata", "--no-deps", "--format-version", "1"))["packages"]
    published = [package for package in known if package["publish"] != []]
    return published, {package["name"] for package in known} - {p["name"] for p in published}


def metadata(package, unpublished):
    """What is wrong with the manifest."""
    for field in ("description", "license", "rust_version", "readme"):
        if not package[field]:
            yield f"no {field.replace('_', '-')}"
    readme = package["readme"]
    if readme and not (Path(package["manifest_path"]).parent / readme).is_file():
        yield f"readme {readme} does not exist"
    keywords, categories = package["keywords"], package["categories"]
    if not 1 <= len(keywords) <= 5:
        yield f"{len(keywords)} keywords, of 1 to 5"
    yield from (f"keyword '{word}'" for word in keywords if not KEYWORD.fullmatch(word))
    if not 1 <= len(categories) <= 5:
        yield f"{len(categories)} categories, of 1 to 5"
    yield from (f"category '{slug}' is not known" for slug in categories if slug not in CATEGORIES)
    for dependency in package["dependencies"]:
        # Cargo leaves out development dependencies that have a path alone.
        if dependency["kind"] == "dev" and dependency["req"] == "*":
            continue
        name = dependency["name"]
        if dependency["req"] == "*":
            yield f"dependency {name} has no version"
        if name in unpublished:
            yield f"dependency {name} is not published"


def included(text):
    """Files that a source includes, as patterns: what a macro fills in is `*`. Paths from the
    folder of the crate begin with `/`; what a build script makes is left out."""
    text = DOCUMENTATION.sub("", COMMENT.sub("", text))
    for found in INCLUDE.finditer(text):
        argument = found[1].removeprefix("concat!")
        variables = set(ENV.findall(argument))
        if variables - {"CARGO_MANIFEST_DIR"}:
            continue
        parts = LITERAL.finditer(ENV.sub("", argument))
        yield "".join("*" if part[1] is None else part[1] for part in parts)


def includes(folder, listed):
    """Files that packaged sources include and the package has not."""
    for source in sorted(name for name in listed if name.endswith(".rs")):
        path = folder / source
        if not path.is_file():
            continue
        for pattern in included(path.read_text(encoding="utf-8")):
            beside = "" if pattern.startswith("/") else os.path.dirname(source)
            wanted = os.path.normpath(os.path.join(beside, pattern.lstrip("/")))
            if wanted.startswith(".."):
                yield f"{source} includes {pattern}, outside of the crate"
            elif not any(fnmatch(name, wanted) for name in listed):
                yield f"{source} includes {pattern}, which is not in the package"


def check(root=ROOT):
    """Problems of all crates that are published, as lines; and the number of crates."""
    published, unpublished = members(root)
    problems = []
    for package in published:
        name, folder = package["name"], Path(package["manifest_path"]).parent
        listed = cargo(root, "package", "--list", "--allow-dirty", "--package", name).split("\n")
        listed = {line for line in listed if line}
        found = [*metadata(package, unpublished), *includes(folder, listed)]
        problems += [f"{name}: {problem}" for problem in found]
    return problems, len(published)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--dry-run", action="store_true", help="check metadata and files, and make the packages")
    what.add_argument("--upload", action="store_true", help="the same, then build them and upload them to crates.io")
    parser.add_argument("--root", type=Path, default=ROOT, help="the workspace")
    chosen = parser.parse_args(arguments)
    try:
        problems, crates = check(chosen.root)
        for problem in problems:
            print(problem, file=sys.stderr)
        if problems:
            return 1
        # All at once: they depend on each other, and none is on crates.io yet.
        _, unpublished = members(chosen.root)
        without = [word for name in sorted(unpublished) for word in ("--exclude", name)]
        cargo(chosen.root, "package", "--workspace", "--no-verify", "--allow-dirty", "--quiet", *without)
    except PublishError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{crates} crates can be published")
    if chosen.upload:
        return subprocess.run(["cargo", "publish", "--workspace", *without], cwd=chosen.root).returncode
    return 0
