"""Compiles the C++ extension for the PyTorch and the Python at hand.

It is compiled at first use and not at installation, so that `pip install` needs
neither PyTorch nor a compiler, and a new PyTorch gets a new extension. The result
is kept in the cache folder, under a name that everything it depends on went into.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

import torch

from kernelskill import _find, _folders

_SOURCES = ("extension.cpp", "program.cpp", "support.cpp")
_HEADERS = ("program.h", "support.h")
_NAME = "kernelskill_extension"


def _compiler() -> str:
    for name in (os.environ.get("CXX"), "g++", "clang++", "c++"):
        if name and (path := shutil.which(name)):
            return path
    raise ImportError(
        "kernelskill needs a C++ compiler to build its extension: "
        "install g++, or name one by CXX"
    )


def _command(compiler: str, header: Path, output: Path) -> list[str]:
    folder = Path(__file__).parent
    torch_folder = Path(torch.__file__).parent
    includes = [
        folder,
        header.parent,
        torch_folder / "include",
        torch_folder / "include/torch/csrc/api/include",
        Path(sysconfig.get_paths()["include"]),
    ]
    libraries = torch_folder / "lib"
    return [
        compiler,
        *("-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-w"),
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        *(f"-I{path}" for path in includes),
        *(str(folder / source) for source in _SOURCES),
        *(f"-L{libraries}", "-ltorch_python", "-ltorch_cpu", "-lc10"),
        *("-ldl", "-o", str(output)),
    ]


def _fingerprint(header: Path) -> str:
    state = hashlib.sha256()
    for part in (torch.__version__, sys.version, sysconfig.get_platform()):
        state.update(part.encode() + b"\0")
    folder = Path(__file__).parent
    for path in [header, *(folder / name for name in _SOURCES + _HEADERS)]:
        state.update(path.read_bytes() + b"\0")
    return state.hexdigest()[:24]


def _build(header: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    # Built beside its place and moved there whole: several processes may build.
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        output = Path(folder) / target.name
        command = _command(_compiler(), header, output)
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise ImportError(
                f"kernelskill's extension does not compile: {' '.join(command)}\n"
                + done.stderr[-4000:]
            )
        os.replace(output, target)


def extension() -> ModuleType:
    """The loaded extension; built first where it is not there yet."""
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    header = _find.runtime_header()
    target = _folders.cache() / "extension" / _fingerprint(header) / f"{_NAME}.so"
    if not target.exists():
        _build(header, target)
    loader = importlib.machinery.ExtensionFileLoader(_NAME, str(target))
    spec = importlib.util.spec_from_loader(_NAME, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    cuda = Path(torch.__file__).parent / "lib" / "libtorch_cuda.so"
    module.open_libraries(str(_find.runtime_library()), str(cuda) if cuda.exists() else "")
    sys.modules[_NAME] = module
    return module
