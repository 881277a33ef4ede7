"""Builds the wheel, as pip asks for it (PEP 517), with the standard library alone.

`pip install ./tools/ks-torch` then needs no network, not even for a build system. The
wheel is pure Python: the C++ extension is compiled at first use. Two files are not
copies of the tree's: KSRuntime.h comes from the project's include folder, and
_source.py keeps the path of the tree, whose build folder may hold ks-opt.
"""

from __future__ import annotations

import base64
import hashlib
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_PACKAGE = "kernelskill"


def _project() -> dict[str, Any]:
    return tomllib.loads((_HERE / "pyproject.toml").read_text())["project"]


def _files() -> Iterator[tuple[str, bytes]]:
    """The package's files by their names in the wheel."""
    for path in sorted((_HERE / _PACKAGE).rglob("*")):
        if path.suffix in (".py", ".cpp", ".h"):
            yield path.relative_to(_HERE).as_posix(), path.read_bytes()
    header = _ROOT / "include" / "ks" / "Runtime" / "KSRuntime.h"
    yield f"{_PACKAGE}/_runtime/KSRuntime.h", header.read_bytes()


def _metadata(project: dict[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.3",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
    ]
    for extra, requirements in project.get("optional-dependencies", {}).items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {r}; extra == "{extra}"' for r in requirements]
    return "\n".join(lines) + "\n"


def _entry_points(project: dict[str, Any]) -> str:
    lines = []
    for group, entries in project.get("entry-points", {}).items():
        lines.append(f"[{group}]")
        lines += [f"{name} = {place}" for name, place in entries.items()]
    return "\n".join(lines) + "\n"


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    info = f"{stem}.dist-info"
    files = dict(_files())
    files[f"{_PACKAGE}/_source.py"] = (
        f'"""The source tree that this package was installed from."""\n\n'
        f"ROOT = {str(_ROOT)!r}\n"
    ).encode()
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: kernelskill\n"
        b"Root-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{info}/entry_points.txt"] = _entry_points(project).encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record.append(f"{name},sha256={digest.rstrip(b'=').decode()},{len(data)}")
    record.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()

    wheel = f"{stem}-py3-none-any.whl"
    path = Path(wheel_directory) / wheel
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return wheel


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    raise NotImplementedError(
        "the package is built from the project's source tree: pip install ./tools/ks-torch"
    )
