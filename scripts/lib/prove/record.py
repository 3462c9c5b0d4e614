"""What was proven, by the digest of all that the verdict depends on.

A proof takes from seconds to minutes and its inputs seldom change. `scripts/prove --record` decides
what is new or has changed, and keeps it in a file; the tests decide a sample of it again."""

import hashlib
import json
import re
from pathlib import Path

from program import ROOT

from . import cases, circuit, engines, refute, words
from .proof import FORMAL
from .tools import ProofError

RECORD = FORMAL / "proven.json"

_INCLUDE = re.compile(r'^`include "(.*)"', re.MULTILINE)


# What makes a fault of its words; tests show that it does.
FAULT_ENGINE = [ROOT / "hdl/netlist/src/fault" / name for name in ("apply.rs", "find.rs", "describe.rs")]


def digest(proof, parameters, files, fault=None) -> str:
    """Of the engines, how they are called, and the Verilog with what it includes. Of a faulty unit
    it is that of the sound one, and what the fault is made of: nothing has to be exported to see
    that nothing has changed."""
    hashed = hashlib.sha256()

    def add(text):
        hashed.update(f"{len(text)} ".encode() + text.encode())

    for module in (engines, circuit, cases, *([words] if proof.words else [])):
        add(Path(module.__file__).read_text())
    add(f"{proof.engine} {proof.depth(parameters)}")
    if proof.cases:
        one = proof.cases
        add(repr([one.first, one.then, list(one.inputs(parameters)), one.cycle(parameters)]))
    if fault:
        add(repr([fault.claim, *fault.options]))
        for module in (Path(refute.__file__), *FAULT_ENGINE):
            add(module.read_text())
    for file in files:
        text = Path(file).read_text()
        add(text)
        for name in _INCLUDE.findall(text):
            add((FORMAL / name).read_text())
    return hashed.hexdigest()


class Record:
    """Verdicts by the name of the job."""

    def __init__(self, file=RECORD):
        self.file = file
        self.entries = {}
        try:
            for entry in json.loads(file.read_text()):
                self.entries[entry.pop("job")] = entry
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProofError(f"{file}: not what scripts/prove --record writes: {error}") from error

    def digest(self, job) -> str:
        """That of the wanted verdict; none, if there is no such verdict."""
        entry = self.entries.get(job.name, {})
        return entry.get("digest", "") if entry.get("verdict") == job.wanted else ""

    def seconds(self, job) -> float:
        """How long it took; a new one may take any time."""
        return self.entries.get(job.name, {}).get("seconds", float("inf"))

    def put(self, outcome):
        """Keeps a verdict, at once: what is interrupted goes on from here."""
        self.entries[outcome.job.name] = {
            "verdict": outcome.verdict,
            "digest": outcome.digest,
            "seconds": round(outcome.seconds, 1),
        }
        self._write()

    def keep(self, jobs):
        """Drops what none of these jobs is."""
        names = {job.name for job in jobs}
        if not names.issuperset(self.entries):
            self.entries = {name: entry for name, entry in self.entries.items() if name in names}
            self._write()

    def drifted(self, outcomes) -> bool:
        """Whether it lacks one of these verdicts, which it then names."""
        lacking = [one for one in outcomes if one.good and self.digest(one.job) != one.digest]
        if lacking:
            names = ", ".join(outcome.job.name for outcome in lacking[:3])
            print(
                f"{self.file.name}: {len(lacking)} of {len(outcomes)} are new or have changed ({names}):"
                " run scripts/prove --record"
            )
        return bool(lacking)

    def _write(self):
        lines = [json.dumps({"job": name, **self.entries[name]}) for name in sorted(self.entries)]
        new = self.file.with_suffix(".new")
        new.write_text("[\n" + ",\n".join(lines) + "\n]\n")
        new.replace(self.file)


def sample(jobs, count, seed):
    """Names of `count` of them, others with another seed."""

    def order(job):
        return hashlib.sha256(f"{seed} {job.name}".encode()).digest()

    return {job.name for job in sorted(jobs, key=order)[:count]}
