#!/usr/bin/env python3
"""Export every task of a KernelBench checkout, and hold the figures against limits.

  kernelbench.py CHECKOUT -o DIR             all of levels 1 to 3, one process each
  kernelbench.py CHECKOUT -o DIR level1/19   those whose path contains a text

CHECKOUT is the repository's KernelBench folder, with level1, level2 and level3 in it.
DIR gets levelN/<task>.mlir, and export.tsv: seconds, peak memory and size of each.
The exit code is 1 if a task fails or a limit is missed. Runs with the Python that has
torch and torch-mlir.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {"median s": 5.0, "s": 60.0, "MB of memory": 8192.0, "MB of text": 2.0}


def tasks(checkout, wanted):
    found = []
    for level in ("level1", "level2", "level3"):
        files = (checkout / level).glob("*.py")
        found += sorted(files, key=lambda file: int(re.match(r"\d+", file.name)[0]))
    if wanted:
        found = [f for f in found if any(w in f"{f.parent.name}/{f.name}" for w in wanted)]
    return found


def export(file, output, timeout):
    """(message or empty, seconds, seconds of processor time, peak MB)."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "kernelskill", "export", "--fake", str(file)]
    path = [str(ROOT / "tools" / "ks-torch"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
    log = output.with_suffix(".log")
    begin = time.monotonic()
    with open(log, "wb") as stream:
        process = subprocess.Popen(command + ["-o", str(output)], stdout=stream,
                                   stderr=subprocess.STDOUT, env=environment)
        usage = None
        while usage is None:
            pid, state, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                usage = used
            elif time.monotonic() - begin > timeout:
                process.kill()
                _, state, usage = os.wait4(process.pid, 0)
            else:
                time.sleep(0.02)
    seconds = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(state)
    text = log.read_text(errors="replace")
    message = ""
    if seconds > timeout:
        message = f"more than {timeout:g} s"
    elif process.returncode:
        errors = [line for line in text.splitlines() if "error" in line.lower()]
        message = (errors or text.splitlines() or [f"exit code {process.returncode}"])[-1]
    else:
        log.unlink()
    processor = usage.ru_utime + usage.ru_stime
    return message, seconds, processor, usage.ru_maxrss / 1024


def summary(rows):
    """Prints the figures; the number of limits that are missed."""
    done = [row for row in rows if not row[1]]
    print(f"{len(done)} of {len(rows)} exported")
    if not done:
        return 1
    figures = {
        "median s": ("", statistics.median(row[2] for row in done)),
        "s": max(done, key=lambda row: row[2])[0:3:2],
        "MB of memory": max(done, key=lambda row: row[3])[0::3],
        "MB of text": max(done, key=lambda row: row[4])[0::4],
    }
    missed = 0
    processor = statistics.median(row[5] for row in done)
    print(f"median of processor time: {processor:.2f} s")
    for what, (name, value) in figures.items():
        bad = value > LIMITS[what]
        missed += bad
        verdict = "MISSED" if bad else "ok"
        most = "" if what.startswith("median") else "most "
        print(f"{verdict}: {most}{what}: {value:.2f} (limit {LIMITS[what]:g}) {name}")
    return missed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("tasks", nargs="*", metavar="TEXT")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--timeout", type=float, default=300, metavar="S")
    options = parser.parse_intermixed_args()
    files = tasks(options.checkout, options.tasks)
    if not files:
        parser.error(f"no tasks in '{options.checkout}'")
    rows = []
    for file in files:
        output = options.output / file.parent.name / (file.stem + ".mlir")
        name = f"{file.parent.name}/{file.stem}"
        message, seconds, processor, memory = export(file, output, options.timeout)
        size = output.stat().st_size / 1e6 if output.exists() else 0.0
        rows.append((name, message, seconds, memory, size, processor))
        print(f"{name:64} {seconds:6.1f} s ({processor:5.1f}) {memory:7.0f} MB {size:7.3f} MB  "
              f"{message or 'ok'}", flush=True)
    lines = ["task\tmessage\tseconds\tmemory_MB\ttext_MB\tprocessor_s"]
    lines += [f"{n}\t{m}\t{s:.2f}\t{r:.0f}\t{t:.4f}\t{p:.2f}" for n, m, s, r, t, p in rows]
    (options.output / "export.tsv").write_text("\n".join(lines) + "\n")
    missed = summary(rows)
    failed = [row for row in rows if row[1]]
    for row in failed:
        print(f"failed: {row[0]}: {row[1]}")
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main())
