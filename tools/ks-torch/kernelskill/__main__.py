"""`python -m kernelskill`: the commands of this package."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kernelskill.errors import ExportError


def _export(options: argparse.Namespace) -> None:
    import warnings

    from kernelskill.exporter import export, loading

    if not options.show_warnings:
        warnings.filterwarnings("ignore")
    make = loading.maker(options.model)
    weights = options.weights == "all" and not options.fake
    module, args, kwargs = loading.build(make, fake=not weights)
    exported = export(module, args, kwargs, dynamic=_dynamic(options.dynamic))
    exported.save(options.output, weights=weights)


def _dynamic(options: list[str]) -> dict[str, dict[int, str]]:
    """What `x:0=batch` says, as kernelskill.export takes it."""
    found: dict[str, dict[int, str]] = {}
    for option in options:
        place, _, label = option.partition("=")
        name, _, dim = place.rpartition(":")
        if not (name and label and dim.isdecimal()):
            raise ExportError(f"--dynamic takes NAME:DIMENSION=LABEL, not '{option}'")
        found.setdefault(name, {})[int(dim)] = label
    return found


def _where(options: argparse.Namespace) -> None:
    from kernelskill import _find, _folders

    print("ks-opt:", _find.compiler() or "not found")
    print("runtime:", _find.runtime_library())
    print("cache:", _folders.cache())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kernelskill", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    export = commands.add_parser(
        "export",
        help="write a model as MLIR",
        description="Writes a model as MLIR, and its parameters beside it.",
    )
    export.set_defaults(run=_export)
    export.add_argument(
        "model",
        metavar="FILE.py[:FUNCTION]",
        help="FUNCTION() returns (module, args) or (module, args, kwargs); without it "
        "the file has Model, get_inputs and get_init_inputs, as in KernelBench",
    )
    export.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.mlir")
    export.add_argument(
        "--weights",
        choices=("all", "none"),
        default="all",
        help="write FILE.safetensors with what the model holds (all), or not (none)",
    )
    export.add_argument(
        "--fake",
        action="store_true",
        help="build the model without memory; implies --weights=none",
    )
    export.add_argument(
        "--dynamic",
        action="append",
        default=[],
        metavar="NAME:DIMENSION=LABEL",
        help="leave a dimension of the argument NAME open, as x:0=batch; repeatable",
    )
    export.add_argument(
        "--show-warnings", action="store_true", help="show Python's warnings"
    )
    where = commands.add_parser(
        "where",
        help="show which tools and folders are used",
        description="Shows which ks-opt, runtime library and cache folder are used.",
    )
    where.set_defaults(run=_where)
    return parser


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (ExportError, OSError) as error:
        print(f"kernelskill: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
