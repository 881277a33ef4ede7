#!/usr/bin/env python3
"""Compile, or run, every model of a folder, and hold it against the figures.

  corpus.py DIR              compiles every .mlir under DIR for a GPU (none is needed)
                             and measures wall time and peak memory
  corpus.py DIR --expect     runs those that have an .npz of inputs and answers beside
                             them, and shows the errors against what is allowed

The table is in the order of the paths, whatever the number of jobs. The exit code
is 1 if a file fails or misses a limit; what a failed file printed is in the log
folder. An X.generic.mlir is the generic form of X.mlir and is compiled as well.
"""

import argparse
import concurrent.futures
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ["file", "s", "MB", "kernels", "launches", "error/allowed", "status"]


class Row:
    """What is known of one file after it was tried."""

    def __init__(self, path, base):
        self.path = path
        self.name = str(path.relative_to(base))
        self.seconds = 0.0
        self.megabytes = 0.0
        self.kernels = ""
        self.launches = ""
        self.error = ""
        self.status = "ok"

    def cells(self):
        seconds, megabytes = f"{self.seconds:.2f}", f"{self.megabytes:.0f}"
        return [self.name, seconds, megabytes, str(self.kernels),
                str(self.launches), self.error, self.status]


def measure(command, timeout, output):
    """Runs a command into the file `output`: (exit code or None if it was too slow,
    seconds, peak MB of the largest process)."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                               stderr=subprocess.STDOUT, start_new_session=True)
    late = threading.Event()

    def stop():
        late.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(timeout, stop)
    timer.start()
    try:
        _, state, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    seconds = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(state)
    code = None if late.is_set() else process.returncode
    return code, seconds, usage.ru_maxrss / 1024


def count_launches(text):
    """Numbers of distinct kernels and of launches in a lowered module."""
    names = re.findall(r"gpu\.launch_func\s.*?(@[\w.$\"-]+::@[\w.$\"-]+)", text)
    return len(set(names)), len(names)


def worst_error(text):
    """The largest part of the allowed error that an output of ks-run has, printed as
    `max error E allowed A`; empty if nothing was compared."""
    worst = None
    number = r"([-+.\deE]+|inf|nan)"
    for error, allowed in re.findall(
            rf"error[ =:]+{number}.*?allowed[ =:]+{number}", text):
        error, allowed = float(error), float(allowed)
        part = error / allowed if allowed else (0.0 if error == 0 else float("inf"))
        worst = part if worst is None or not part <= worst else worst
    return "" if worst is None else f"{worst:.3g}"


def reason(log):
    """The line of a log that says most."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for line in lines:
        if "error:" in line:
            return line[line.index("error:"):][:160]
    return lines[-1][:160] if lines else "no message"


def try_file(path, options):
    row = Row(path, options.dir)
    with tempfile.TemporaryDirectory(prefix="ks-corpus-") as scratch:
        out = Path(scratch, "out.mlir")
        log = Path(scratch, "log")
        if options.expect:
            answers = str(path.with_suffix(".npz"))
            command = [options.ks_run, str(path), "--args", answers,
                       "--expect", answers]
            if options.device:
                command += ["--device", options.device]
        else:
            command = [options.ks_opt, str(path), "--ks-normalize",
                       "--ks-cut-kernels", "--ks-lower-to-cubin", "-o", str(out)]
        with open(log, "wb") as output:
            code, row.seconds, row.megabytes = measure(
                command + options.option, options.timeout, output)
        text = log.read_text(errors="replace")
        if code is None:
            row.status = f"too slow (more than {options.timeout:g} s)"
        elif code < 0:
            row.status = f"died of {signal.Signals(-code).name}"
        elif code:
            row.status = reason(text)
        elif row.megabytes > options.memory_limit:
            row.status = f"too large (more than {options.memory_limit:g} MB)"
        elif not options.expect:
            row.kernels, row.launches = count_launches(
                out.read_text(errors="replace"))
        if options.expect:
            row.error = worst_error(text)
        if row.status != "ok":
            name = re.sub(r"[^\w.-]", "_", row.name) + ".log"
            options.logs.mkdir(parents=True, exist_ok=True)
            (options.logs / name).write_text(
                " ".join(command) + f"\n{row.status}\n\n{text}")
    return row


def find_files(options):
    files = sorted(options.dir.rglob("*.mlir"))
    if options.expect:
        files = [path for path in files if path.with_suffix(".npz").exists()]
    return files[:: options.every]


def run_all(files, options):
    """Yields the rows in order; says on a terminal how far it is."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = pool.map(lambda path: try_file(path, options), files)
        for done, row in enumerate(rows, 1):
            if sys.stderr.isatty():
                print(f"\r{done}/{len(files)} {row.name[-60:]:60}",
                      end="" if done < len(files) else "\n", file=sys.stderr)
            yield row


def print_table(rows, options):
    table = [COLUMNS] + [row.cells() for row in rows]
    unused = {"kernels", "launches"} if options.expect else {"error/allowed"}
    keep = [i for i, name in enumerate(COLUMNS) if name not in unused]
    width = {i: max(len(line[i]) for line in table) for i in keep}
    for line in table:
        cells = [line[i].ljust(width[i]) if i in (0, 6) else line[i].rjust(width[i])
                 for i in keep]
        print("  ".join(cells).rstrip())


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, metavar="DIR", help="folder with .mlir files")
    parser.add_argument("--expect", action="store_true",
                        help="run the files that have an .npz, and compare")
    parser.add_argument("--device", help="device of ks-run (with --expect)")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--every", type=int, default=1, metavar="K",
                        help="every K-th file of the sorted list only")
    parser.add_argument("--timeout", type=float, metavar="S",
                        help="longest time for a file (60; 300 with --expect)")
    parser.add_argument("--memory-limit", type=float, default=4096, metavar="MB",
                        help="largest peak memory of a process (4096)")
    parser.add_argument("--median", type=float, metavar="S",
                        help="largest median time; a miss if it is more")
    parser.add_argument("--ks-opt", metavar="PATH", default=str(ROOT / "build/bin/ks-opt"))
    parser.add_argument("--ks-run", metavar="PATH", help="by default beside ks-opt")
    parser.add_argument("--option", action="append", default=[], metavar="ARG",
                        help="another argument of the tool, as --option=--host; repeatable")
    parser.add_argument("--tsv", type=Path, metavar="FILE", help="write the table there too")
    parser.add_argument("--logs", type=Path, default=Path("ks-out/corpus"),
                        metavar="FOLDER", help="logs of failed files (ks-out/corpus)")
    options = parser.parse_args()
    options.ks_run = options.ks_run or str(Path(options.ks_opt).with_name("ks-run"))
    options.timeout = options.timeout or (300 if options.expect else 60)
    tool = options.ks_run if options.expect else options.ks_opt
    if not options.dir.is_dir():
        parser.error(f"no folder '{options.dir}'")
    if not os.access(tool, os.X_OK):
        parser.error(f"no tool '{tool}'")
    if options.jobs < 1 or options.every < 1:
        parser.error("--jobs and --every are 1 or more")
    return options


def main():
    options = parse()
    files = find_files(options)
    if not files:
        sys.exit(f"corpus.py: no file to try in '{options.dir}'")
    begin = time.monotonic()
    rows = list(run_all(files, options))
    print_table(rows, options)
    if options.tsv:
        lines = ["\t".join(cells) for cells in [COLUMNS] + [row.cells() for row in rows]]
        options.tsv.write_text("\n".join(lines) + "\n")

    bad = [row for row in rows if row.status != "ok"]
    slowest = max(rows, key=lambda row: row.seconds)
    largest = max(rows, key=lambda row: row.megabytes)
    median = statistics.median(row.seconds for row in rows)
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\n{len(rows) - len(bad)} of {len(rows)} files ok in "
          f"{time.monotonic() - begin:.0f} s ({own.ru_utime + own.ru_stime:.0f} s of "
          f"processor time, {options.jobs} at a time)")
    print(f"median {median:.2f} s, worst {slowest.seconds:.2f} s ({slowest.name}), "
          f"largest {largest.megabytes:.0f} MB ({largest.name})")
    for row in bad:
        print(f"miss: {row.name}: {row.status}")
    if bad:
        print(f"logs: {options.logs}")
    if options.median and median > options.median:
        print(f"miss: the median is more than {options.median:g} s")
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
