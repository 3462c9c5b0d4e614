"""The command line: which jobs, two at a time, a line each."""

import argparse
import concurrent.futures
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import program

from . import report, tools
from .catalogue import FAULTS, PROOFS
from .jobs import Job, decide

DESCRIPTION = """\
Proves the exported Verilog of the units: equal to naive references, and facts about it, for all
inputs that the golden models' `assume` allows. One line per proof."""

EPILOG = """\
examples:
  scripts/prove                                all proofs
  scripts/prove lru_stack --config 16x4        those of one unit and parameter set
  scripts/prove --faults                       faulty units: each must be refuted, with a wave
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
    parser.add_argument("--readme", action="store_true", help="write the table of README.md")
    chosen = parser.parse_args(arguments)
    known = list(dict.fromkeys(proof.unit for proof in PROOFS))
    for unit in chosen.unit:
        if unit not in known:
            parser.error(f"no proofs of '{unit}'; there are some of {', '.join(known)}")
    if bool(chosen.rtl) != bool(chosen.top):
        parser.error("--rtl and --top go together")
    if chosen.rtl and (len(chosen.unit) != 1 or not chosen.set or chosen.faults):
        parser.error("--rtl needs one unit and its --config, and knows no --faults")
    if chosen.readme and (chosen.unit or chosen.set or chosen.faults):
        parser.error("--readme is for all proofs")
    for file in chosen.rtl or []:
        if not Path(file).is_file():
            parser.error(f"--rtl: there is no file {file}")
    if chosen.jobs < 1:
        parser.error("--jobs is at least 1")
    return chosen


def _jobs(chosen):
    units = chosen.unit or {proof.unit for proof in PROOFS}
    if chosen.faults:
        proofs = {(proof.unit, proof.name): proof for proof in PROOFS}
        return [
            Job(proofs[fault.unit, fault.proof], chosen.set or fault.set, fault)
            for fault in FAULTS
            if fault.unit in units
        ]
    jobs = []
    for proof in PROOFS:
        # What looks inside knows the names of our flops.
        if proof.unit in units and not (chosen.rtl and proof.looks_inside):
            sets = (chosen.set,) if chosen.set else proof.sets
            jobs += [Job(proof, name, None, chosen.rtl or (), chosen.top) for name in sets]
    return jobs


def _run(chosen):
    binary = program.cotenant()
    for tool in ("yosys", "berkeley-abc", "iverilog"):
        if not shutil.which(tool):
            raise tools.ProofError(f"{tool} is not there: run scripts/setup")
    jobs, outcomes = _jobs(chosen), []
    if not jobs:
        raise tools.ProofError(f"nothing to do for {', '.join(chosen.unit)}")
    start = time.monotonic()
    what = "faulty units" if chosen.faults else "proofs"
    print(f"{len(jobs)} {what}, {chosen.jobs} at a time, files in {chosen.out}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        # The long ones first, so that none is left alone at the end.
        order = sorted(jobs, key=lambda job: job.proof.weight(job.set), reverse=True)
        running = [pool.submit(decide, job, binary, chosen.out.resolve()) for job in order]
        try:
            for done in concurrent.futures.as_completed(running):
                outcomes.append(done.result())
                print(report.line(outcomes[-1]), flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            tools.stop_all()
            raise
    outcomes.sort(key=lambda outcome: jobs.index(outcome.job))
    bad = sum(not outcome.good for outcome in outcomes)
    what = "faults found" if chosen.faults else "proven"
    seconds = time.monotonic() - start
    print(f"{len(outcomes) - bad} of {len(outcomes)} {what} in {seconds:.0f} s")
    if chosen.readme and not bad:
        report.write_readme(outcomes)
    elif not (bad or chosen.unit or chosen.set or chosen.faults):
        bad = report.drifted(outcomes)
    return 1 if bad else 0


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
