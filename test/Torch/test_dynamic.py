"""Open dimensions: one export, several sizes."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import kernelskill
import torch
import torch.nn.functional as F
from harness import Case
from test_operations import Of
from torch import nn

OPT = os.environ.get("KS_OPT", "ks-opt")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        h = self.norm(x)
        x = x + self.attention(h, h, h, need_weights=False)[0]
        return x + F.gelu(self.linear(x))


class Image(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        x = F.adaptive_avg_pool2d(self.body(x), 1)
        return self.head(x.flatten(1)).softmax(1)


class Dynamic(Case):
    def several(self, module, make, dynamic, sizes=(1, 2, 5)):
        """Exports at the size 3, and checks at others."""
        exported = kernelskill.export(module, make(3), dynamic=dynamic)
        self.assertIn("ks.dims", exported.mlir)
        for size in sizes:
            with self.subTest(size=size), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "open.mlir")
                exported.save(path, weights=False)
                text = subprocess.run(
                    [OPT, path, f"--ks-specialize=sizes=batch={size}"],
                    capture_output=True,
                    text=True,
                )
                self.assertEqual(text.returncode, 0, text.stderr)
                fixed = kernelskill.Exported(
                    text.stdout,
                    exported.state,
                    exported.signature,
                    exported.arguments,
                    exported.mutations,
                    exported.results,
                )
                self.check(module, make(size), exported=fixed)
        return exported

    def test_block(self):
        self.several(
            Block().eval(), lambda n: (torch.randn(n, 6, 8),), {"x": {0: "batch"}}
        )

    def test_image(self):
        exported = self.several(
            Image().eval(), lambda n: (torch.randn(n, 3, 8, 6),), {"x": {0: "batch"}}
        )
        self.assertRegex(exported.mlir, r"ks.dim_ranges = \{batch = array<i64: 1, 2147")

    def test_recurrent(self):
        self.several(
            nn.LSTM(4, 5, batch_first=True),
            lambda n: (torch.randn(n, 7, 4),),
            {"input": {0: "batch"}},
        )

    def test_joined(self):
        self.several(
            Of(lambda x, y: torch.cat((x @ y.mT, x.sum() + y), 1)),
            lambda n: (torch.randn(n, 4), torch.randn(n, 4)),
            {"args.0": {0: "batch"}, "args.1": {0: "batch"}},
        )

    def test_two_arguments(self):
        self.several(
            Of(lambda x, y: (x @ y.mT + x.sum(1), y.softmax(0))),
            lambda n: (torch.randn(n, 4), torch.randn(n, 4)),
            {"args.0": {0: "batch"}, "args.1": {0: "batch"}},
        )

    def test_random(self):
        exported = kernelskill.export(
            nn.Dropout(0.5).train(), (torch.randn(3, 4),), dynamic={"input": {0: "n"}}
        )
        self.assertEqual(exported.signature["random"][0]["size"], ["n", 4])

    def test_refusals(self):
        def refused(function, text, dynamic=None):
            with self.assertRaisesRegex(kernelskill.ExportError, re.escape(text)):
                kernelskill.export(
                    Of(function),
                    (torch.randn(4, 6),),
                    dynamic=dynamic or {"args.0": {0: "batch"}},
                )

        refused(lambda x: x.reshape(4, 6) + 1, "'batch' can only be 4")
        refused(lambda x: x.reshape(-1, 12), "asks of its open dimensions that")
        refused(lambda x: x, "'nope' has open dimensions", {"nope": {0: "n"}})
        refused(lambda x: x, "has no dimension 2", {"args.0": {2: "n"}})
        with self.assertRaisesRegex(kernelskill.ExportError, "an example of 0"):
            kernelskill.export(
                nn.ReLU(), (torch.randn(1, 2),), dynamic={"input": {0: "n"}}
            )

    def test_one_is_special(self):
        exported = kernelskill.export(
            Of(lambda x: x.squeeze() * 2),
            (torch.randn(4, 3),),
            dynamic={"args.0": {0: "n"}},
        )
        self.assertIn("n = array<i64: 2,", exported.mlir)

    def test_range(self):
        def function(x):
            return x * 2 if x.shape[0] < 10 else x * 3

        exported = kernelskill.export(
            Of(function), (torch.randn(4),), dynamic={"args.0": {0: "n"}}
        )
        self.assertIn("ks.dim_ranges = {n = array<i64: 1, 9>}", exported.mlir)


if __name__ == "__main__":
    unittest.main()
