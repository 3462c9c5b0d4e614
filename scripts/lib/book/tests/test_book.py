"""Rationale: nobody reads a whole site after each change. So pages are found, not listed; a link of
any kind that leads nowhere is an error; and what is linked but is no page is there, too. Small
repositories are built with mdBook, and each promise is broken once.

Needs mdBook, of scripts/setup.
"""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
LIB = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(LIB))

from book import contents  # noqa: E402
from book.build import STAMP, build  # noqa: E402
from book.links import check  # noqa: E402
from book.main import main  # noqa: E402

FILES = {
    "Cargo.toml": '[workspace.package]\ndescription = "A \\"small\\" one"\n',
    "README.md": "# Small\n\n[second](docs/second.md) [units](docs/units/README.md)"
    " [first](docs/first.md#one-part) [tables](docs/tables) [example](examples/one)\n\n"
    '<img src="docs/picture.svg" width="49%" alt="a picture">\n',
    "CONTRIBUTING.md": "# Contributing\n\n[own part](#contributing)\n",
    "docs/first.md": "# First\n\n## One part\n\n![picture](picture.svg)"
    " [source](../hdl/part.rs) [again](../hdl/part.rs) [out](https://example.org/x#y)\n",
    "docs/second.md": "# Second\n\n```sh\n# not a heading [nor](a/link)\n```\n\n"
    "[text](../hdl/rules.md) [licence](../LICENSE) [bytes](../hdl/bytes)\n",
    "docs/picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "docs/tables/numbers.json": '{"a": "<b>"}',
    "docs/tutorials/README.md": "# Tutorials\n\n1. [Start](start.md)\n",
    "docs/tutorials/start.md": "# Start\n",
    "docs/tutorials/after.md": "# After\n",
    "docs/units/README.md": "# Units\n\n[`b`](b.md) [`a`](a.md)\n",
    "docs/units/a.md": "# `a`\n\n[RTL](../../hdl/part.rs)\n",
    "docs/units/b.md": "# `b`\n\n![b](waves/b.svg)\n",
    "docs/units/waves/b.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "examples/one/README.md": "# One\n\n[back](../../README.md)\n",
    "hdl/part.rs": "fn part() -> Vec<u8> {}\n",
    "hdl/rules.md": "Not a page.\n",
    "LICENSE": "Free.\n",
    "out/old.md": "# Built\n",
    "target/old.md": "# Built\n",
}


class Site(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "repository"
        for path, text in FILES.items():
            self.write(path, text)
        (self.root / "hdl/bytes").write_bytes(b"\xff\x00\xfe")
        self.out = self.root / "out/site"

    def write(self, path, text):
        to = self.root / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")

    def add(self, path, text):
        self.write(path, (self.root / path).read_text(encoding="utf-8") + f"\n{text}\n")

    def command(self, *arguments):
        """Exit code and what is printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = main(["--root", str(self.root), *arguments])
        return code, printed.getvalue()

    def page(self, path):
        return (self.out / path).read_text(encoding="utf-8")


class Contents(Site):
    def test_every_page_is_in_the_book_and_nothing_that_is_built(self):
        summary = contents.summary(self.root, {})
        pages = contents.pages(self.root)
        self.assertEqual(len(pages), 11)
        for path in pages:
            self.assertEqual(summary.count(f"]({path})"), 1, path)
        self.write("docs/deep/new.md", "# New\n")
        self.write("examples/two/README.md", "# Two\n")
        summary = contents.summary(self.root, {})
        for path in ("docs/deep/new.md", "examples/two/README.md"):
            self.assertIn(f"]({path})", summary)

    def test_the_order_is_that_of_the_links_then_of_the_names(self):
        pages = {group.title: group.pages for group in contents.groups(self.root)}
        self.assertEqual(pages["Reference"], ("docs/second.md", "docs/first.md"))
        self.assertEqual([Path(path).stem for path in pages["Units"]], ["README", "b", "a"])
        self.assertEqual(
            [Path(path).stem for path in pages["Tutorials"]], ["README", "start", "after"]
        )

    def test_a_page_without_heading_is_an_error(self):
        self.write("docs/first.md", "```sh\n# no heading\n```\n")
        code, printed = self.command()
        self.assertEqual(code, 2)
        self.assertIn("docs/first.md has no heading", printed)

    def test_all_pages_of_this_repository_are_found(self):
        pages = contents.pages(contents.ROOT)
        units = [path for path in pages if path.startswith("docs/units/")]
        self.assertGreater(len(units), 36)
        self.assertLess({"README.md", "docs/export.md", "scripts/formal/README.md"}, set(pages))


class Links(Site):
    def test_what_is_linked_is_there(self):
        code, printed = self.command("--check")
        self.assertEqual(code, 0, printed)
        self.assertIn(" 0 broken", printed)
        self.assertGreater(int(printed.split()[1]), 200)
        self.assertIn("Vec&lt;u8&gt;", self.page("hdl/part.rs.html"))
        self.assertIn("Not a page.", self.page("hdl/rules.md.html"))
        self.assertIn("&quot;&lt;b&gt;&quot;", self.page("docs/tables/numbers.json.html"))
        self.assertEqual((self.out / "hdl/bytes").read_bytes(), b"\xff\x00\xfe")
        index = self.page("index.html")
        for link in ("docs/tables/index.html", "docs/units/index.html", "examples/one/index.html"):
            self.assertIn(f'href="{link}"', index)
        self.assertIn('src="waves/b.svg"', self.page("docs/units/pictures.html"))
        self.assertFalse((self.out / "hdl/part.rs").exists())

    def test_links_that_lead_nowhere_are_found(self):
        for page, link, broken in (
            ("README.md", "[x](docs/third.md)", "index.html: docs/third.html: no such page"),
            ("README.md", "[x](docs/first.md#two)", "docs/first.html has no such anchor"),
            ("docs/first.md", "[x](#two)", "docs/first.html: #two: docs/first.html has no such"),
            ("docs/first.md", "![x](no.svg)", "docs/first.html: no.svg: no such page or file"),
            ("docs/units/a.md", "[x](../../hdl/no.rs)", "units/a.html: ../../hdl/no.rs: no such"),
            ("docs/units/a.md", "[x](../../../up)", "units/a.html: ../../../up: leads out of"),
            ("docs/first.md", "[x](/docs/second.md)", "begins at the server's root"),
            ("docs/first.md", "[x](file:///etc/hosts)", "an address of kind 'file'"),
            ("docs/first.md", "[x](//example.org)", "an address of kind '//'"),
            ("CONTRIBUTING.md", '<img src="docs/no.png" alt="x">', "docs/no.png: no such page"),
        ):
            with self.subTest(link=link):
                old = (self.root / page).read_text(encoding="utf-8")
                self.add(page, link)
                code, printed = self.command("--check")
                self.write(page, old)
                self.assertEqual(code, 1, printed)
                self.assertIn(broken, printed)
                self.assertIn(" 1 broken", printed)

    def test_what_is_missing_of_a_built_site_is_found(self):
        build(self.root, self.out)
        style = next((self.out / "css").glob("general*.css"))
        style.write_text(style.read_text(encoding="utf-8") + "a { background: url('no.png') }")
        (self.out / "docs/second.html").unlink()
        found = {str(broken) for broken in check(self.out)[0]}
        self.assertIn("index.html: docs/second.html: no such page or file", found)
        self.assertIn("toc.html: docs/second.html: no such page or file", found)
        self.assertIn(f"css/{style.name}: no.png: no such page or file", found)

    def test_a_repository_with_an_address_is_linked_to(self):
        self.add("Cargo.toml", 'repository = "https://example.org/small/"')
        code, printed = self.command("--check")
        self.assertEqual(code, 0, printed)
        self.assertIn(
            'href="https://example.org/small/blob/HEAD/hdl/part.rs"', self.page("docs/first.html")
        )
        self.assertIn(
            'href="https://example.org/small/tree/HEAD/docs/tables"', self.page("index.html")
        )
        self.assertFalse((self.out / "hdl/part.rs.html").exists())
        self.assertTrue((self.out / "docs/picture.svg").exists())
        self.add("docs/first.md", "[x](../hdl/no.rs)")
        self.assertEqual(self.command("--check")[0], 1)


class Command(Site):
    def test_what_cargo_doc_wrote_is_part_of_the_site(self):
        api = self.root / "target/doc"
        self.write("target/doc/small/index.html", "<p id='top'><a href='nowhere.html'>x</a></p>")
        self.write("target/doc/static.files/a.css", "")
        code, printed = self.command("--check", "--api", str(api))
        self.assertEqual(code, 0, printed)
        self.assertIn('href="api/small/index.html"', self.page("api.html"))
        self.assertTrue((self.out / "api/static.files/a.css").exists())
        self.add("docs/first.md", "[x](../api/small/index.html#top) [y](../api/other/index.html)")
        code, printed = self.command("--check", "--api", str(api))
        self.assertEqual(code, 1)
        self.assertIn("../api/other/index.html: no such page", printed)
        self.assertIn(" 1 broken", printed)
        for missing in ("target/none", "docs"):
            code, printed = self.command("--api", str(self.root / missing))
            self.assertEqual(code, 2)
            self.assertIn("expected what `cargo doc` writes", printed)

    def test_only_a_site_is_replaced(self):
        self.assertEqual(self.command()[0], 0)
        (self.out / "old.html").write_text("")
        self.assertEqual(self.command()[0], 0)
        self.assertFalse((self.out / "old.html").exists())
        self.assertTrue((self.out / STAMP).exists())
        code, printed = self.command("--out", str(self.root / "docs"))
        self.assertEqual(code, 2)
        self.assertIn("is there and no site", printed)
        self.assertTrue((self.root / "docs/first.md").exists())

    def test_a_site_is_kept_where_the_next_cannot_be_built(self):
        self.assertEqual(self.command()[0], 0)
        self.write("docs/first.md", "no heading")
        self.assertEqual(self.command()[0], 2)
        self.assertIn("One part", self.page("docs/first.html"))

    def test_what_mdbook_warns_of_is_an_error(self):
        self.add("docs/first.md", "<details><b>")
        code, printed = self.command()
        self.assertEqual(code, 2)
        self.assertIn("docs/first.md", printed)

    def test_a_folder_that_is_no_repository_is_refused(self):
        with tempfile.TemporaryDirectory() as empty:
            code, printed = self.command("--root", empty)
        self.assertEqual(code, 2)
        self.assertIn("expected the repository", printed)


if __name__ == "__main__":
    unittest.main()
