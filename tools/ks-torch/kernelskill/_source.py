"""The source tree that this package is from; the wheel holds its path as a text."""

from pathlib import Path

_TREE = Path(__file__).resolve().parents[3]
ROOT = str(_TREE) if (_TREE / "include" / "ks" / "Runtime").is_dir() else ""
