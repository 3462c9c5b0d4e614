"""One proof, of a unit or of a faulty one, from export to verdict."""

import re
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

from typing import Union

from . import circuit, engines, harness, record, refute, wave, words
from .proof import FORMAL, Proof
from .design import Design, export, sound
from .faults import Fault
from .outputs import AtOutput
from .tools import ProofError


@dataclass
class Job:
    """What is to be decided."""

    proof: Proof
    set: str
    fault: Union[Fault, AtOutput, None] = None
    # The user's RTL instead of the exported.
    rtl: tuple = ()
    top: str = None

    @property
    def name(self):
        """What it is in the record."""
        words = [self.proof.unit, self.set, self.proof.name]
        words += [self.fault.claim, self.fault.words] if self.fault else []
        words += [self.top] if self.top else []
        return " ".join(word for word in words if word)

    @property
    def folder(self):
        """Where its files go."""
        return re.sub(r"[^\w-]+", "_", self.name)

    @property
    def wanted(self):
        """The verdict that it should have: a proof is proven, that of a faulty unit refuted."""
        return "refuted" if self.fault else "proven"


@dataclass
class Outcome:
    """What came of a job."""

    job: Job
    set: str
    bound: str
    seconds: float
    # "proven", "refuted" or "undecided".
    verdict: str
    # What fails and where to look, or why there is no verdict.
    detail: str = ""
    # Digest of all that the verdict depends on; none where there is no verdict.
    digest: str = ""
    # The verdict is that of the record, not of this run.
    recorded: bool = False

    @property
    def good(self):
        """The verdict is the wanted one."""
        return self.verdict == self.job.wanted


def _fresh(folder: Path):
    """An empty folder; one that an earlier proof left is replaced, any other left alone."""
    if folder.exists():
        # A job that the record knows leaves no more than the harness.
        ours = any((folder / name).exists() for name in ("export.log", "prove.v"))
        if not ours and any(folder.iterdir()):
            raise ProofError(f"{folder} holds something else: give another --out")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def _design(job: Job, binary: Path, folder: Path, fault="") -> Design:
    design = export(binary, job.proof.unit, job.set, folder / "export", job.proof.cut, fault)
    if job.rtl:
        design.top, design.sources = job.top, [Path(file).resolve() for file in job.rtl]
    return design


def _described(graph, found) -> str:
    """Which claim fails, and when."""
    output = f"{found.output[0]}[{found.output[1]}]"
    if not graph.latches:
        return output
    start = "from reset" if found.state is None else "in a state with all facts"
    return f"{output} in cycle {len(found.cycles)}, starting {start}"


def _relative(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def decide(job: Job, binary: Path, out: Path, known="") -> Outcome:
    """Runs a job; its files go to a folder of its own in `out`.

    A job whose digest is `known` already has the wanted verdict, and is not decided again."""
    start = time.monotonic()
    proof, name, bound, digest = job.proof, job.set, "-", ""
    if job.fault and job.fault.claim:
        proof = replace(proof, facts=(job.fault.claim,), files=proof.included)

    def outcome(verdict, detail=""):
        seconds = time.monotonic() - start
        return Outcome(job, name, bound, seconds, verdict, detail, digest)

    try:
        folder = out / job.folder
        _fresh(folder)
        if job.fault:
            design = sound(binary, proof.unit, job.set, out, proof.cut)
        else:
            design = _design(job, binary, folder)
        name = design.set
        bound = engines.bound(proof, design.parameters)
        (folder / "prove.v").write_text(harness.text(design, proof))
        files = [folder / "prove.v", *harness.sources(design, proof)]
        digest = record.digest(proof, design.parameters, files, job.fault)
        if digest == known:
            return replace(outcome(job.wanted), recorded=True)
        for fault in job.fault.options if job.fault else ("",):
            if fault:
                design = _design(job, binary, folder, fault)
                (folder / "prove.v").write_text(harness.text(design, proof))
                files = [folder / "prove.v", *harness.sources(design, proof)]
            read = files
            if proof.words:
                probed = proof.inside(design.parameters)
                paths = [path for _, _, paths in probed for path in paths]
                plain = words.apart(folder, design.sources, design.top, paths)
                read = [plain, *(file for file in files if file not in design.sources)]
            graph = circuit.build(folder, read, FORMAL)
            decided = refute.decide if fault else engines.decide
            found = decided(graph, proof, design.parameters)
            if found:
                shown = wave.replay(graph, found, harness.free(design, proof), files, FORMAL)
                return outcome("refuted", f"{_described(graph, found)}, wave {_relative(shown)}")
        return outcome("proven")
    except (ProofError, OSError) as error:
        return outcome("undecided", str(error))
