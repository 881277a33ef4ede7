"""Where KernelSkill's own tools and libraries are.

`ks-opt` is $KS_OPT, or in PATH, or in the build folder of the source tree that this
package was installed from. The runtime library lies beside it, in `../lib`; with
$KS_RUNTIME it is that file, for machines without the compiler.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_LIBRARY = "libKSRuntime.so"


class NotFoundError(FileNotFoundError):
    """A tool or a library of KernelSkill is not there; says where it was looked for."""


def _build_folder() -> Path | None:
    """The build folder of the source tree, if the package knows one."""
    from kernelskill import _source

    folder = Path(_source.ROOT) / "build" if _source.ROOT else None
    return folder if folder and folder.is_dir() else None


def compiler() -> Path | None:
    """The path of ks-opt; None if there is none. $KS_OPT must exist if it is set."""
    if named := os.environ.get("KS_OPT"):
        path = Path(named).expanduser().absolute()
        if not os.access(path, os.X_OK) or path.is_dir():
            raise NotFoundError(f"KS_OPT names '{named}', which is no program")
        return path
    if found := shutil.which("ks-opt"):
        return Path(found).absolute()
    if folder := _build_folder():
        path = folder / "bin" / "ks-opt"
        if os.access(path, os.X_OK):
            return path
    return None


def require_compiler() -> Path:
    """The path of ks-opt; an error that says where it was looked for."""
    if path := compiler():
        return path
    raise NotFoundError(
        "ks-opt is not found: it is neither named by KS_OPT nor in PATH nor in the "
        "build folder that kernelskill was installed from"
    )


def runtime_library() -> Path:
    """The path of libKSRuntime.so."""
    if named := os.environ.get("KS_RUNTIME"):
        path = Path(named).expanduser().absolute()
        if not path.is_file():
            raise NotFoundError(f"KS_RUNTIME names '{named}', which is no file")
        return path
    folders = []
    if tool := compiler():
        folders.append(tool.resolve().parent.parent / "lib")
    if folder := _build_folder():
        folders.append(folder / "lib")
    for folder in folders:
        if (folder / _LIBRARY).is_file():
            return folder / _LIBRARY
    raise NotFoundError(
        f"{_LIBRARY} is not found: it is neither named by KS_RUNTIME nor in the "
        "folder lib beside ks-opt's"
    )


def runtime_header() -> Path:
    """The path of KSRuntime.h: installed with this package, or in the source tree."""
    from kernelskill import _source

    installed = Path(__file__).parent / "_runtime" / "KSRuntime.h"
    if installed.is_file():
        return installed
    return Path(_source.ROOT) / "include" / "ks" / "Runtime" / "KSRuntime.h"
