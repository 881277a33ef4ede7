"""Models from files: `FILE.py:FUNCTION`, or a file in KernelBench's form."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from kernelskill.errors import ExportError

Example = tuple[torch.nn.Module, tuple[Any, ...], dict[str, Any]]


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def load_file(path: Path) -> ModuleType:
    """Runs a Python file as a module of its own."""
    name = "kernelskill_model_" + path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ExportError(f"'{path}' is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ExportError(f"'{path}' does not load: {_said(error)}") from error
    finally:
        sys.path.pop(0)
    return module


def _kernelbench(module: ModuleType) -> Example:
    model = module.Model(*module.get_init_inputs())
    return model, tuple(module.get_inputs()), {}


def _function(name: str, function: Callable[[], Any]) -> Example:
    made = function()
    if not isinstance(made, tuple) or len(made) not in (2, 3):
        raise ExportError(
            f"{name} must return (module, args) or (module, args, kwargs)"
        )
    module, args, kwargs = (*made, {})[:3]
    if not isinstance(module, torch.nn.Module):
        raise ExportError(f"what {name} returns first is no torch.nn.Module")
    if isinstance(args, torch.Tensor) or not isinstance(args, (tuple, list)):
        raise ExportError(f"what {name} returns second must be a tuple of arguments")
    return module, tuple(args), dict(kwargs)


def maker(spec: str) -> Callable[[], Example]:
    """What builds the model that `FILE.py[:FUNCTION]` names."""
    file, colon, name = spec.rpartition(":")
    if not colon or not file.endswith(".py"):
        file, name = spec, ""
    path = Path(file)
    if not path.is_file():
        raise ExportError(f"no file '{file}'")
    module = load_file(path)
    if name:
        function = getattr(module, name, None)
        if not callable(function):
            raise ExportError(f"'{file}' has no function '{name}'")
        return lambda: _function(f"'{name}'", function)
    wanted = ("Model", "get_inputs", "get_init_inputs")
    missing = [name for name in wanted if not hasattr(module, name)]
    if missing:
        raise ExportError(
            f"'{file}' has no {missing[0]}: name a function, as in {file}:build"
        )
    return lambda: _kernelbench(module)


def build(make: Callable[[], Example], fake: bool) -> Example:
    """Builds the model: without memory if `fake`, as long as its constructor lets."""
    if fake:
        try:
            with FakeTensorMode(allow_non_fake_inputs=True):
                return make()
        except ExportError:
            raise
        except Exception:
            pass  # a constructor that reads values: it gets them
    try:
        return make()
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(f"the model cannot be built: {_said(error)}") from error
