#!/usr/bin/env python3
"""Times how long ks-opt takes to start: its version, and an empty module.

    startup.py KS_OPT [LIMIT_SECONDS]

Prints the best of five runs of each, for others may use the machine, and ends
with 1 where one is above the limit (0.3 s).
"""

import subprocess
import sys
import time


def best(command, text=""):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(
            command, input=text, text=True, stdout=subprocess.DEVNULL, check=True
        )
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    tool, limit = sys.argv[1], float(sys.argv[2] if len(sys.argv) > 2 else 0.3)
    slow = 0
    for name, command, text in (
        ("--version", [tool, "--version"], ""),
        ("empty module", [tool], "module {}"),
    ):
        seconds = best(command, text)
        slow += seconds > limit
        print(f"{name}: {seconds:.3f} s, limit {limit:.3f} s")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
