#!/usr/bin/env python3
"""Checks that every file includes only what its library may use.

The table below is the architecture: each library names the libraries of the
project that it may include and what it may use from outside. Arrows point up
the table only. Prints every include that crosses a wall and ends with 1.
"""

import pathlib
import re
import sys

MLIR = {"llvm", "mlir", "mlir-c", "llvm-c"}
LLVM = {"llvm"}

# library: (libraries of the project, outside)
ROOMS = {
    "Base": ("", set()),
    "Support": ("Base", LLVM),
    "Normalize": ("Base Support", MLIR),
    "Schedule": ("Base Support Normalize", MLIR),
    "Distribute": ("Base Support Schedule", MLIR),
    "Lowering": ("Base Support Normalize Schedule Distribute", MLIR),
    "Device": ("Base", set()),
    "Runtime": ("Base Device", set()),
    "Evaluate": ("Base Support Lowering Device Runtime", MLIR),
    "Skills": ("Base Support Schedule", MLIR),
    "Memory": ("Base Support", LLVM | {"sqlite3.h"}),
    "LLM": ("Base Support", LLVM | {"curl", "nlohmann"}),
    "Agent": (
        "Base Support Normalize Schedule Distribute Lowering Device Runtime "
        "Evaluate Skills Memory LLM",
        MLIR,
    ),
    "Report": ("Base Support", LLVM),
    "Passes": (
        "Base Support Normalize Schedule Distribute Lowering Device Runtime "
        "Evaluate Skills Memory LLM Agent Report",
        MLIR,
    ),
}

# Headers from outside that only the rooms that name them may include; what is
# in neither list is the standard library or the system.
OUTSIDE = MLIR | {"clang", "clang-c", "sqlite3.h", "curl", "nlohmann"}
# Nothing includes CUDA's headers: the driver is loaded when the tool runs.
NEVER = {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "nvml.h", "cupti.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
SUFFIXES = {".h", ".cpp", ".c", ".td", ".inc"}


def complaints(root):
    for base in (root / "lib", root / "include" / "ks"):
        for path in sorted(base.rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            room = path.relative_to(base).parts[0]
            if room not in ROOMS:
                yield f"{path}: no room '{room}' in the table"
                continue
            own, outside = ROOMS[room]
            allowed = set(own.split()) | {room}
            for name in INCLUDE.findall(path.read_text()):
                parts = name.split("/")
                if parts[0] in NEVER:
                    yield f"{path}: includes {name}; nothing may"
                elif parts[0] == "ks" and len(parts) > 1:
                    if parts[1] not in allowed:
                        yield f"{path}: {room} may not include {name}"
                elif parts[0] in OUTSIDE and parts[0] not in outside:
                    yield f"{path}: {room} may not include {name}"


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    if len(sys.argv) > 1:
        root = pathlib.Path(sys.argv[1])
    found = list(complaints(root))
    for line in found:
        print(line)
    if found:
        return 1
    print("every include is within its room")
    return 0


if __name__ == "__main__":
    sys.exit(main())
