"""Runs the commands of a tutorial and compares the output that it shows.

A `console` block has commands behind "$ " (continued where a line ends in a backslash) and below
each what it prints: every line in order, except where "..." stands for some, or for the rest of a
line. A command with nothing below it may print anything. `sh` blocks are commands alone. Another
block is written to a file if its first line is a comment with the file's name below `out`.
"""

import os
import re
import subprocess
import textwrap
from dataclasses import dataclass, field

_BLOCK = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"(?:#|//) (out/[\w./-]+)\n")
# Of one command.
SECONDS = 300


class TutorialError(Exception):
    """A command fails, or prints something else."""


@dataclass
class Command:
    """A command and the lines that are shown below it."""

    line: str
    shown: list = field(default_factory=list)


@dataclass(frozen=True)
class File:
    """A block that is a file."""

    path: str
    text: str


def _console(text):
    found, continued = [], False
    for line in text.splitlines():
        if continued:
            found[-1].line += f"\n{line}"
        elif line.startswith("$ "):
            found.append(Command(line[2:]))
        elif found:
            found[-1].shown.append(line)
        else:
            raise TutorialError(f"output before any command: {line}")
        continued = line.endswith("\\") and (continued or line.startswith("$ "))
    return found


def steps(page):
    """Commands and files of a page, in order."""
    found = []
    for _, language, text in _BLOCK.findall(page):
        text = textwrap.dedent(text)
        named = _NAMED.match(text)
        if language == "console":
            found += _console(text)
        elif language == "sh":
            found.append(Command(text))
        elif named:
            found.append(File(named[1], text))
    return found


def _pattern(line):
    """What a shown line means; "..." within it is any text."""
    return re.compile(".*".join(re.escape(part) for part in line.split("...")))


def difference(shown, printed):
    """The first shown line that is not where it should be in what was printed, or None."""
    lines, at, skip = printed.splitlines(), 0, False
    for line in shown:
        if line.strip() == "...":
            skip = True
            continue
        pattern = _pattern(line.rstrip())
        rest = range(at, len(lines) if skip else min(at + 1, len(lines)))
        found = next((place for place in rest if pattern.fullmatch(lines[place].rstrip())), None)
        if found is None:
            return line
        at, skip = found + 1, False
    if shown and not skip and any(line.strip() for line in lines[at:]):
        return f"nothing more, but there is: {lines[at]}"
    return None


def run(page, folder, environment=None):
    """Runs a page's commands in a folder; how many there were."""
    count = 0
    for step in steps(page):
        if isinstance(step, File):
            path = folder / step.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")
            continue
        count += 1
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", step.line],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode:
            raise TutorialError(f"$ {step.line}\nexit code {done.returncode}\n{done.stdout}")
        wrong = difference(step.shown, done.stdout)
        if wrong is not None:
            raise TutorialError(f"$ {step.line}\nexpected {wrong}\nin:\n{done.stdout}")
    return count
