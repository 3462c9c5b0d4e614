"""Outcomes as lines, and as the table of README.md."""

from .catalogue import FAULTS, PROOFS
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


def table(outcomes) -> str:
    """What was proven, without times: those differ from run to run."""
    rows = ["| unit | what is proven | sets | how | faults found |", "|---|---|---|---|---|"]
    for proof in PROOFS:
        mine = [one for one in outcomes if one.job.proof is proof and not one.job.fault]
        sets = ", ".join(f"`{outcome.set}`" for outcome in mine)
        bounds = list(dict.fromkeys(outcome.bound for outcome in mine))
        faults = "; ".join(
            f"{fault.words} ({fault.claim})" if fault.claim else fault.words
            for fault in FAULTS
            if (fault.unit, fault.proof) == (proof.unit, proof.name)
        )
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


def write_readme(outcomes):
    """Puts the table into README.md."""
    before, _, after = _parts()
    new = README.with_suffix(".new")
    new.write_text(before + BEGIN + table(outcomes) + END + after)
    new.rename(README)


def drifted(outcomes) -> bool:
    """Whether the table of README.md is not what was proven."""
    if _parts()[1] == table(outcomes):
        return False
    print(f"{README}: the table is out of date: run scripts/prove --record")
    return True
