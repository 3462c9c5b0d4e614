"""The command line: which jobs, two at a time, a line each."""

import argparse
import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import program

from . import engines, outputs, record, report, tools
from .catalogue import FAULTS, PROOFS, UNSHOWN
from .design import sound
from .jobs import Job, decide

DESCRIPTION = """\
Proves the exported Verilog of the units: equal to naive references, and facts about it, for all
inputs that the golden models' `assume` allows. One line per proof."""

EPILOG = """\
examples:
  scripts/prove                                all proofs
  scripts/prove lru_stack --config 16x4        those of one unit and parameter set
  scripts/prove --faults                       faulty units: each must be refuted, with a wave
  scripts/prove --record                       what has changed since the record was written
  scripts/prove --sample 20                    the same and 20 others, without writing the record
  scripts/prove popcnt --config 16 --rtl my.v --top my_popcnt
                                               your own RTL with the same ports

COTENANT is the program that exports [built by cargo, debug].

exit code: 0 all proven (with --faults: all refuted), 1 one is not, 2 could not run"""


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="prove",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("unit", nargs="*", help="units, as `cotenant list` names them [all]")
    parser.add_argument(
        "--config", "--set", dest="set", metavar="CONFIG", help="a parameter set of the units"
    )
    parser.add_argument("--faults", action="store_true", help="refute faulty units")
    parser.add_argument("--rtl", nargs="+", metavar="FILE", help="Verilog in place of the export")
    parser.add_argument("--top", metavar="MODULE", help="the top module of --rtl")
    parser.add_argument("--out", type=Path, default=Path("out/proofs"), help="[out/proofs]")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at a time [2]")
    parser.add_argument(
        "--limit",
        type=float,
        default=engines.LIMIT,
        metavar="SECONDS",
        help="abc may take as long for one proof; more on a busy machine [%(default)s]",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="prove and refute only what is new or has changed, and write the record and README.md",
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="beside what is new or has changed, prove N others again",
    )
    parser.add_argument("--seed", help="which N [the commit]")
    chosen = parser.parse_args(arguments)
    known = list(dict.fromkeys(proof.unit for proof in PROOFS))
    for unit in chosen.unit:
        if unit not in known:
            parser.error(f"no proofs of '{unit}'; there are some of {', '.join(known)}")
    if bool(chosen.rtl) != bool(chosen.top):
        parser.error("--rtl and --top go together")
    if chosen.rtl and (len(chosen.unit) != 1 or not chosen.set or chosen.faults):
        parser.error("--rtl needs one unit and its --config, and knows no --faults")
    if chosen.record and (chosen.unit or chosen.set or chosen.faults or chosen.rtl):
        parser.error("--record is for all proofs and faults")
    if chosen.record and chosen.sample is not None:
        parser.error("--record decides all that has changed, and knows no --sample")
    if chosen.sample is not None and chosen.rtl:
        parser.error("--sample is for what is in the record, which knows no --rtl")
    if chosen.sample is not None and chosen.sample < 0:
        parser.error("--sample is at least 0")
    if chosen.seed is not None and chosen.sample is None:
        parser.error("--seed goes with --sample")
    for file in chosen.rtl or []:
        if not Path(file).is_file():
            parser.error(f"--rtl: there is no file {file}")
    if chosen.limit <= 0:
        parser.error("--limit is more than 0")
    if chosen.jobs < 1:
        parser.error("--jobs is at least 1")
    return chosen


def _has(proof, name, out, binary):
    """Whether the unit with that parameter set has what the proof leaves out of it."""
    try:
        return bool(sound(binary, proof.unit, name, out, proof.cut))
    except tools.ProofError as error:
        if proof.cut and "there is no instance" in str(error):
            return False
        raise


def _proofs(chosen, proofs):
    jobs = []
    for proof in proofs:
        # What looks inside knows the names of our flops.
        if not (chosen.rtl and (proof.looks_inside or proof.cut)):
            sets = (chosen.set,) if chosen.set else proof.sets
            jobs += [Job(proof, name, None, chosen.rtl or (), chosen.top) for name in sets]
    return jobs


def _faults(chosen, binary, proofs):
    """Those inside, then those at the outputs of each proof."""
    by_name = {(proof.unit, proof.name): proof for proof in proofs}
    jobs = [
        Job(by_name[fault.unit, fault.proof], chosen.set or fault.set, fault)
        for fault in FAULTS
        if (fault.unit, fault.proof) in by_name
    ]
    for proof in proofs:
        name = chosen.set or proof.faulty_set
        design = sound(binary, proof.unit, name, chosen.out.resolve(), proof.cut)
        jobs += [Job(proof, name, fault) for fault in outputs.faults(design, proof, name)]
    return jobs


def _jobs(chosen, binary, proofs):
    jobs = [] if chosen.faults else _proofs(chosen, proofs)
    return jobs + (_faults(chosen, binary, proofs) if chosen.faults or chosen.record else [])


def _shown(chosen, binary, proofs):
    """The outputs of each unit of which a proof must find a fault."""
    found = {}
    for proof in proofs:
        name = chosen.set or proof.faulty_set
        design = sound(binary, proof.unit, name, chosen.out.resolve(), proof.cut)
        of_unit = found.setdefault(proof.unit, [])
        of_unit += [one.name for one in outputs.outputs(design) if one.name not in of_unit]
    return found


def _seed(chosen):
    """That of the sample; the commit, so that a run of the tests can be repeated."""
    if chosen.seed is not None:
        return chosen.seed
    command = ["git", "-C", str(record.FORMAL), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise tools.ProofError("there is no commit to choose a sample by: give --seed") from error


def _known(chosen, jobs, kept):
    """By name of the job, the digest that need not be decided again."""
    if chosen.record:
        again = set()
    elif chosen.sample is not None:
        seed = _seed(chosen)
        again = record.sample(jobs, chosen.sample, seed)
        print(f"those that have changed, and {len(again)} of {len(jobs)} by --seed {seed}")
    else:
        return {}
    return {job.name: kept.digest(job) for job in jobs if job.name not in again}


def _run(chosen):
    binary = program.cotenant()
    engines.LIMIT = chosen.limit
    for tool in ("yosys", "berkeley-abc", "iverilog"):
        if not shutil.which(tool):
            raise tools.ProofError(f"{tool} is not there: run scripts/setup")
    proofs = [proof for proof in PROOFS if proof.unit in (chosen.unit or [proof.unit])]
    if chosen.set:
        out = chosen.out.resolve()
        proofs = [proof for proof in proofs if _has(proof, chosen.set, out, binary)]
    jobs, outcomes, kept = _jobs(chosen, binary, proofs), [], record.Record()
    if not jobs:
        raise tools.ProofError(f"nothing to do for {', '.join(chosen.unit)}")
    start = time.monotonic()
    what = "faulty units" if chosen.faults else "proofs and faulty units" if chosen.record else "proofs"
    print(f"{len(jobs)} {what}, {chosen.jobs} at a time, files in {chosen.out}", flush=True)
    known = _known(chosen, jobs, kept)
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        # The long ones first, so that none is left alone at the end.
        order = sorted(jobs, key=kept.seconds, reverse=True)
        out = chosen.out.resolve()
        running = [pool.submit(decide, job, binary, out, known.get(job.name, "")) for job in order]
        try:
            for done in concurrent.futures.as_completed(running):
                outcomes.append(done.result())
                if not outcomes[-1].recorded:
                    print(report.line(outcomes[-1]), flush=True)
                    if chosen.record and outcomes[-1].good:
                        kept.put(outcomes[-1])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            tools.stop_all()
            raise
    outcomes.sort(key=lambda outcome: jobs.index(outcome.job))
    print(report.summary(outcomes, time.monotonic() - start))
    gaps = []
    if chosen.faults or chosen.record:
        gaps = report.gaps(proofs, _shown(chosen, binary, proofs), UNSHOWN, outcomes)
    for gap in gaps:
        print(gap)
    if gaps or not all(outcome.good for outcome in outcomes):
        return 1
    if chosen.record:
        kept.keep(jobs)
        report.write_readme(outcomes, _faults(chosen, binary, proofs))
        return 0
    # Who works on a unit need not have recorded it yet.
    if chosen.unit or chosen.set:
        return 0
    drifted = kept.drifted(outcomes)
    if not chosen.faults:
        drifted |= report.drifted(outcomes, _faults(chosen, binary, proofs))
    return 1 if drifted else 0


def main(arguments=None) -> int:
    """Runs the command; its exit code."""
    chosen = _arguments(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return _run(chosen)
    except BrokenPipeError:
        # The reader has gone; nor may Python write what it still holds.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except (tools.ProofError, program.ProgramError) as error:
        print(f"prove: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
