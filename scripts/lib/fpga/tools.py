"""Finds and runs other programs: with a log, and errors that say where to look."""

import contextlib
import fcntl
import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import program

ROOT = Path(__file__).resolve().parents[3]


class FpgaError(Exception):
    """Something could not be run."""


class Endless(FpgaError):
    """It did not come to an end."""


class Missed(Exception):
    """It ran, and the outcome is not what was asked for."""


@contextlib.contextmanager
def claimed(work: Path):
    """A folder for one run, which is not there yet; two runs in it would remove each other's files."""
    work.parent.mkdir(parents=True, exist_ok=True)
    with open(work.with_name(f"{work.name}.lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FpgaError(
                f"another run works in {work}: wait for its end, or choose a folder with --out"
            ) from None
        shutil.rmtree(work, ignore_errors=True)
        yield


def find(name: str) -> str:
    """The program: of the project's Python environment, or on PATH."""
    if "/" in name:
        return name
    local = ROOT / "target" / "venv" / "bin" / name
    found = str(local) if os.access(local, os.X_OK) else shutil.which(name)
    if found is None:
        raise FpgaError(f"{name} is neither in target/venv nor on PATH: run scripts/setup")
    return found


def run(command, folder: Path, log: str, check=True, limit=None) -> str:
    """What `command` prints when run in `folder`; kept there as `log`.log. It is ended after `limit`
    seconds of processor time, which a busy machine does not change."""
    program = find(str(command[0]))

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 10))

    done = subprocess.run(
        [program, *map(str, command[1:])],
        preexec_fn=limited if limit else None,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = done.stdout.decode(errors="replace")
    (folder / f"{log}.log").write_text(text)
    if done.returncode == -signal.SIGXCPU:
        raise Endless(
            f"{command[0]} did not end within {limit} s of processor time "
            f"(see {folder / (log + '.log')})"
        )
    if check and done.returncode:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        errors = [line for line in lines if "ERROR" in line or "error" in line]
        said = (errors or lines[-1:] or ["nothing"])[0]
        raise FpgaError(f"{command[0]} fails: {said} (see {folder / (log + '.log')})")
    return text


def cotenant(arguments, folder: Path = ROOT) -> str:
    """What `cotenant` prints."""
    try:
        binary = program.cotenant()
    except program.ProgramError as error:
        raise FpgaError(str(error)) from error
    done = subprocess.run(
        [binary, *map(str, arguments)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise FpgaError(f"cotenant {' '.join(map(str, arguments))}: {said[0]}")
    return done.stdout


def version(name: str) -> str:
    """How a tool names its own version, in one line."""
    if name == "yosys":
        text = subprocess.run([find(name), "-V"], capture_output=True, text=True, check=True).stdout
        return " ".join(text.split()[:2])
    done = subprocess.run([find(name), "--version"], capture_output=True, text=True, check=True)
    lines = (done.stderr + done.stdout).strip().splitlines()
    # '"nextpnr-ice40" -- Next Generation Place and Route (Version 0.4-1+b1)'
    stated = lines[-1].split("(Version ")[-1].rstrip(")")
    return f"{name} {stated.removeprefix('nextpnr-')}"
