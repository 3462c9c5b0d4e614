"""Running other programs: with a log, a time limit, and errors that say where to look."""

import os
import signal
import subprocess
import threading
from pathlib import Path


class ProofError(Exception):
    """A proof that could not be tried or decided."""


# What runs now, and whether anything more may.
_RUNNING = set()
_STOPPED = threading.Event()


def stop_all():
    """Ends what runs, with whatever it has started, and lets nothing more start."""
    _STOPPED.set()
    for process in list(_RUNNING):
        _end(process)


def _end(process):
    try:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # It ended just now.


def run(command, folder: Path, name: str, limit: float) -> str:
    """What `command` prints when run in `folder`; kept there as `name`.log."""
    if _STOPPED.is_set():
        raise ProofError("interrupted")
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    tool = Path(command[0]).name
    with log.open("w") as out:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            hint = "run scripts/setup" if tool != "cotenant" else "run cargo build"
            raise ProofError(f"{command[0]} does not start ({error.strerror}): {hint}") from error
        _RUNNING.add(process)
        try:
            code = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _RUNNING.discard(process)
            if process.poll() is None:
                _end(process)
                process.wait()
    if code is None:
        raise ProofError(f"{tool} takes longer than {limit:.0f} s, see {log}")
    text = log.read_text(errors="replace")
    if code:
        last = [line for line in text.splitlines() if line.strip()]
        errors = [line for line in last if "ERROR" in line or "error" in line]
        said = (errors or last or ["nothing"])[-1].strip()
        raise ProofError(f"{tool} fails with {code}: {said}, see {log}")
    return text
