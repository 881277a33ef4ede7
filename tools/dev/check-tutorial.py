#!/usr/bin/env python3
"""Runs the commands of a page and compares what they print with what it shows.

    check-tutorial.py PAGE --source DIR --build DIR --work DIR

Each ```sh block runs in one shell, in a fresh folder WORK that has links to the
checkout's files and to the build folder as `build`. A ```text block after it
shows the output: each of its lines must appear in that order, with … standing
for anything; lines between them may be left out. A block with a file's name
after its language (```c run.c) is written to that file first. Other blocks are
not run.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(\w*)[ \t]*(\S*)[ \t]*\n(.*?)^```\s*$", re.M | re.S)


def blocks(text):
    """(line, command, shown lines) of each sh block."""
    fences = list(FENCE.finditer(text))
    for i, fence in enumerate(fences):
        if fence.group(1) != "sh":
            continue
        shown = []
        if i + 1 < len(fences) and fences[i + 1].group(1) == "text":
            shown = [l for l in fences[i + 1].group(3).splitlines() if l.strip()]
        yield text.count("\n", 0, fence.start()) + 1, fence.group(3), shown


def write_files(text, work):
    """The blocks with a name, as files of the folder `work`."""
    for fence in FENCE.finditer(text):
        if fence.group(2):
            (work / pathlib.Path(fence.group(2)).name).write_text(fence.group(3))


def squeeze(line):
    return " ".join(line.split())


def pattern(line):
    parts = (re.escape(squeeze(part)) for part in line.split("…"))
    return re.compile(r"\s*.*?\s*".join(parts))


def first_missing(shown, output):
    """The first shown line that the output does not hold in this order."""
    lines = iter([squeeze(line) for line in output.splitlines()])
    for line in shown:
        if line.strip() == "…":
            continue
        wanted = pattern(line.strip())
        if not any(wanted.search(got) for got in lines):
            return line
    return None


def prepare(work, source, build):
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.name not in ("build", "ks-out", ".git"):
            (work / entry.name).symlink_to(entry)
    (work / "build").symlink_to(build)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    for name in ("source", "build", "work"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    args = parser.parse_args()
    work = args.work.absolute()
    prepare(work, args.source.resolve(), args.build.resolve())
    text = args.page.read_text()
    write_files(text, work)

    count = 0
    for line, command, shown in blocks(text):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=dict(os.environ, NO_COLOR="1"),
        )
        missing = first_missing(shown, done.stdout)
        if done.returncode or missing is not None:
            why = f"ends with {done.returncode}" if done.returncode else f"does not print: {missing}"
            print(f"{args.page}:{line}: {command.strip()}\n{why}\nit printed:\n{done.stdout}")
            return 1
        count += 1
    print(f"{count} blocks of {args.page.name} ran as shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
