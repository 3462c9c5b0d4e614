"""Outcomes as lines, and as the table of README.md."""

from .catalogue import PROOFS
from .outputs import AtOutput
from .proof import FORMAL
from .tools import ProofError

README = FORMAL / "README.md"
BEGIN = "<!-- begin: written by scripts/prove --record -->\n"
END = "<!-- end -->\n"


def line(outcome) -> str:
    """Unit and set, property, engine, bound, time, verdict."""
    proof = outcome.job.proof
    subject = f"{proof.unit} {outcome.set}"
    words = f"{subject:<24} {proof.name:<10} {proof.engine:<15} {outcome.bound:<24}"
    verdict = outcome.verdict
    if outcome.job.fault:
        verdict = f"{'found' if outcome.good else 'NOT FOUND'}: {outcome.job.fault.words}"
    elif not outcome.good:
        verdict = verdict.upper()
    detail = f": {outcome.detail}" if outcome.detail else ""
    return f"{words} {outcome.seconds:6.1f} s  {verdict}{detail}"


def summary(outcomes, seconds) -> str:
    """How many have the wanted verdict, and how many of them from the record."""
    counts = []
    for faulty, words in ((False, "proven"), (True, "faults found")):
        mine = [outcome for outcome in outcomes if bool(outcome.job.fault) == faulty]
        good = sum(outcome.good for outcome in mine)
        recorded = sum(outcome.recorded for outcome in mine)
        said = f" ({recorded} as recorded)" if recorded else ""
        counts += [f"{good} of {len(mine)} {words}{said}"] if mine else []
    return f"{', '.join(counts)} in {seconds:.0f} s"


def gaps(proofs, shown, unshown, outcomes):
    """What the proofs leave open: a line for each proof that no fault makes fail, which says
    nothing, and for each output of a unit of which none of its proofs finds a fault.

    `shown` has the names of the outputs by unit, `unshown` by unit and port why there is no
    proof of it."""
    found = [one.job for one in outcomes if one.job.fault and one.good]
    lines = []
    for proof in proofs:
        if not any(job.proof is proof for job in found):
            lines.append(f"{proof.unit} {proof.name} is empty: it finds no fault of the unit")
    for unit, names in shown.items():
        seen = {
            job.fault.output.name
            for job in found
            if job.proof.unit == unit and isinstance(job.fault, AtOutput)
        }
        for name in names:
            excused = (unit, name.split("[")[0]) in unshown
            if name not in seen and not excused:
                lines.append(f"{unit}: no proof finds a fault at output {name}")
            if name in seen and excused:
                lines.append(f"{unit}: a proof finds faults at output {name}: it is no exception")
    return lines


def _found(proof, faulty):
    """How many faults a proof finds, and at how many outputs."""
    mine = [job.fault for job in faulty if job.proof is proof]
    outputs = {fault.output for fault in mine if isinstance(fault, AtOutput)}
    return f"{len(mine)}, at {len(outputs)} outputs" if outputs else f"{len(mine)}, inside"


def table(outcomes, faulty) -> str:
    """What was proven, without times: those differ from run to run. `faulty` are the jobs of faulty
    units, each of which the record says is refuted."""
    rows = ["| unit | what is proven | sets | how | faults found |", "|---|---|---|---|---|"]
    for proof in PROOFS:
        mine = [one for one in outcomes if one.job.proof is proof and not one.job.fault]
        sets = ", ".join(f"`{outcome.set}`" for outcome in mine)
        bounds = list(dict.fromkeys(outcome.bound for outcome in mine))
        faults = _found(proof, faulty)
        how = f"{proof.engine}: {' or '.join(bounds)}"
        rows.append(f"| `{proof.unit}` {proof.name} | {proof.claim} | {sets} | {how} | {faults} |")
    return "\n".join(rows) + "\n"


def _parts():
    try:
        before, rest = README.read_text().split(BEGIN)
        inside, after = rest.split(END)
    except (OSError, ValueError):
        raise ProofError(f"{README}: the markers of the table are not there once each") from None
    return before, inside, after


def write_readme(outcomes, faulty):
    """Puts the table into README.md."""
    before, _, after = _parts()
    new = README.with_suffix(".new")
    new.write_text(before + BEGIN + table(outcomes, faulty) + END + after)
    new.rename(README)


def drifted(outcomes, faulty) -> bool:
    """Whether the table of README.md is not what was proven."""
    if _parts()[1] == table(outcomes, faulty):
        return False
    print(f"{README}: the table is out of date: run scripts/prove --record")
    return True
