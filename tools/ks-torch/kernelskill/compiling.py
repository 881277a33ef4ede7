"""Runs ks-opt, which makes packages out of exported modules."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernelskill import _find


class CompileError(RuntimeError):
    """ks-opt refused a module, or failed."""


@dataclass(frozen=True)
class CompileOptions:
    """How a module is compiled. The names are those of ks-opt --agent-optimize."""

    #: Trials for each distinct kernel; with 0, kernels are compiled and not tried.
    budget: int = 0
    #: Where candidates are tried: auto, cuda or host.
    device: str = "auto"
    #: Also make code for the CPU (always made where candidates are tried there).
    host: bool = False
    seed: int = 0
    #: Folder for the runs' records; None keeps none.
    out_dir: str | None = None
    #: Further options of --agent-optimize, `policy` say.
    extra: dict[str, str] = field(default_factory=dict)

    def key(self) -> str:
        """What of the options changes a program's results or where it can run."""
        return json.dumps({"host": self.host, **self.extra}, sort_keys=True)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if any(c in text for c in " {}=,\"'"):
        raise ValueError(f"'{text}' cannot be passed to ks-opt as an option")
    return text


def _pass(name: str, options: dict[str, Any]) -> str:
    return f"--{name}=" + " ".join(f"{k}={_text(v)}" for k, v in options.items())


def _errors(text: str) -> str:
    """The errors in what ks-opt said; without any, the end of it."""
    errors = [line for line in text.splitlines() if "error: " in line]
    return "\n".join(errors[:3]) or text.strip()[-1000:]


def compile_package(
    module: str | Path,
    package: str | Path,
    options: CompileOptions,
    sizes: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Compiles the file `module` into the file `package`; the run's report.

    `sizes` are those of the module's open dimensions. The report is empty with a
    budget of 0. The package is whole or not there.
    """
    tool = _find.require_compiler()
    with tempfile.TemporaryDirectory() as scratch:
        if options.budget == 0:
            road = _pass(
                "ks-lower-to-cubin", {"package": package, "host": options.host}
            )
            runs = None
        else:
            runs = Path(options.out_dir or scratch)
            road = _pass(
                "agent-optimize",
                {
                    "budget": options.budget,
                    "device": options.device,
                    "seed": options.seed,
                    "out-dir": runs,
                    "package": package,
                    "host": options.host,
                    **options.extra,
                },
            )
        before = set(runs.glob("*/report.json")) if runs else set()
        command = [str(tool), str(module)]
        if sizes:
            each = ",".join(f"{name}={size}" for name, size in sizes.items())
            command.append(f"--ks-specialize=sizes={each}")
        command += [road, "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise CompileError(
                f"ks-opt failed (exit code {done.returncode}): {_errors(done.stderr)}"
            )
        if runs is None:
            return {}
        reports = set(runs.glob("*/report.json")) - before
        newest = max(reports, key=lambda path: path.stat().st_mtime, default=None)
        return json.loads(newest.read_text()) if newest else {}
