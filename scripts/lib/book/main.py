"""The command line: build the site, check its links."""

import argparse
import sys
from pathlib import Path

from . import contents
from .build import build
from .contents import BookError
from .links import check

EPILOG = """\
examples:
  scripts/site                       into out/site; open out/site/index.html
  scripts/site --check               and check all links
  cargo doc --workspace --no-deps && scripts/site --api target/doc

exit code: 0 done, 1 a link leads nowhere, 2 could not build"""


def main(arguments=None):
    """Runs the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="site",
        description="Builds all pages of the repository into a site, with mdBook (scripts/setup).",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="check all links of what was built")
    parser.add_argument("--api", type=Path, metavar="FOLDER", help="with what `cargo doc` wrote")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="[out/site]")
    parser.add_argument(
        "--root", type=Path, default=contents.ROOT, metavar="FOLDER", help="[this repository]"
    )
    chosen = parser.parse_args(arguments)
    out = chosen.out or chosen.root / "out/site"
    try:
        if chosen.api and not chosen.api.is_dir():
            raise BookError(f"{chosen.api} is not there: expected what `cargo doc` writes")
        build(chosen.root, out, chosen.api)
    except BookError as error:
        print(f"site: {error}", file=sys.stderr)
        return 2
    print(f"{out / 'index.html'}")
    if not chosen.check:
        return 0
    broken, seen = check(out)
    for link in broken:
        print(f"site: {link}", file=sys.stderr)
    print(f"{seen} links, {len(broken)} broken")
    return 1 if broken else 0
