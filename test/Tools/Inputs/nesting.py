"""Writes texts that nest deeply, or only seem to, into the folder given."""

import pathlib
import sys

N = 30000
TEXTS = {
    "attribute": "module attributes {ks.a = " + "[" * N + "]" * N + "} {}",
    "region": "builtin.module {\n" * N + "}\n" * N,
    "type": "func.func private @f(" + "tuple<" * N + "i1" + ">" * N + ")",
    "affine": "#m = affine_map<(d0) -> (" + "(" * N + "d0" + ")" * N + ")>",
    "negation": "#m = affine_map<(d0) -> (" + "- " * N + "d0)>",
    "sum": "#m = affine_map<(d0) -> (" + " + ".join(["d0"] * N) + ")>",
    "attribute-alias": "#a0 = []\n"
    + "".join(f"#a{i} = [#a{i - 1}]\n" for i in range(1, N)),
    "type-alias": "!a0 = i1\n"
    + "".join(f"!a{i} = tuple<!a{i - 1}>\n" for i in range(1, N)),
    "location": "module {} loc(" + 'callsite("a" at ' * N + '"b"' + ")" * N + ")",
    "comment": "// " + "{" * N + "\nmodule {}",
    "string": 'module attributes {ks.a = "' + "{\\\"" * N + '"} {}',
    "comparisons": "#s = affine_set<(d0) : ("
    + ", ".join(["d0 >= 0, 9 - d0 >= 0"] * N)
    + ")>\nmodule {}",
    "negatives": "module attributes {ks.a = dense<["
    + ", ".join(["-1.0e-05"] * N)
    + f"]> : tensor<{N}xf32>}} {{}}",
    "split": "\n// -----\n".join(["module { module {"] * 300),
}
for name, text in TEXTS.items():
    (pathlib.Path(sys.argv[1]) / f"{name}.mlir").write_text(text + "\n")
