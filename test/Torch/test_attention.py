"""Attention: a function of its own, values against PyTorch."""

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
from torch import nn

OPT = os.environ.get("KS_OPT", "ks-opt")


class Attention(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.options = options

    def forward(self, q, k, v, mask=None):
        return F.scaled_dot_product_attention(q, k, v, mask, **self.options)


def qkv(heads=3, keys=7, dtype=torch.float32, kept=None):
    kept = kept or heads
    return (
        torch.randn(2, heads, 7, 8, dtype=dtype),
        torch.randn(2, kept, keys, 8, dtype=dtype),
        torch.randn(2, kept, keys, 5, dtype=dtype),
    )


class Sdpa(Case):
    def outlined(self, exported, count=1):
        self.assertEqual(exported.mlir.count('ks.op = "attention"'), count)
        return exported

    def test_plain(self):
        exported = self.outlined(self.check(Attention(), qkv()))
        self.assertIn("ks.causal = false", exported.mlir)
        self.assertIn("ks.scale = 0.353", exported.mlir)

    def test_causal(self):
        exported = self.check(Attention(is_causal=True, scale=0.25), qkv(keys=9))
        self.assertIn("ks.causal = true", exported.mlir)
        self.assertIn("ks.scale = 2.5", exported.mlir)

    def test_half(self):
        for dtype in (torch.float16, torch.bfloat16):
            self.outlined(self.check(Attention(is_causal=True), qkv(dtype=dtype)))

    def test_half_operands(self):
        """What reaches tensor cores is narrow, not extended copies."""
        exported = kernelskill.export(Attention(), qkv(dtype=torch.float16))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.mlir")
            exported.save(path)
            command = [OPT, path, "--ks-normalize"]
            normal = subprocess.run(command, capture_output=True, text=True, check=True)
        products = re.findall(r"batch_matmul ins\(.*?\) outs", normal.stdout)
        self.assertEqual(len(products), 2)
        for product in products:
            self.assertNotIn("f32", product)

    def test_masks(self):
        hidden = torch.rand(2, 1, 7, 7) > 0.4
        hidden[0, 0, 2] = False  # a row that sees nothing is zero
        self.outlined(self.check(Attention(), (*qkv(), hidden)))
        self.outlined(self.check(Attention(), (*qkv(), torch.randn(7, 7))))

    def test_grouped_queries(self):
        self.outlined(self.check(Attention(enable_gqa=True), qkv(heads=4, kept=2)))

    def test_three_dimensions(self):
        self.outlined(self.check(Attention(), [x[0] for x in qkv()]))

    def test_equal_ones_are_one_function(self):
        class Twice(nn.Module):
            def forward(self, q, k):
                once = F.scaled_dot_product_attention(q, k, k)
                return F.scaled_dot_product_attention(once, k, k)

        exported = self.check(Twice(), qkv()[:2])
        self.outlined(exported)
        self.assertEqual(exported.mlir.count("call @attention_0"), 2)

    def test_dropout(self):
        exported = self.check(Attention(dropout_p=0.2), qkv())
        self.assertEqual(exported.signature["random"][0]["size"], [2, 3, 7, 7])

    def test_multi_head(self):
        module = nn.MultiheadAttention(8, 2, batch_first=True).eval()
        x = torch.randn(2, 7, 8)
        self.outlined(self.check(module, (x, x, x), {"need_weights": False}))
        self.outlined(self.check(module, (x, x, x)), 0)

    def test_transformer(self):
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        module = nn.TransformerEncoder(layer, 2).eval()
        hidden = torch.zeros(2, 7, dtype=torch.bool)
        hidden[1, 5:] = True
        exported = self.check(module, (torch.randn(2, 7, 8),))
        self.outlined(exported)
        kernelskill.export(
            module, (torch.randn(2, 7, 8),), {"src_key_padding_mask": hidden}
        )
        module = nn.Transformer(8, 2, 1, 1, 16, batch_first=True).eval()
        self.check(module, (torch.randn(2, 7, 8), torch.randn(2, 5, 8)))


if __name__ == "__main__":
    unittest.main()
