"""Regions of torch.autocast: types as in eager mode."""

import unittest

import torch
import torch.nn.functional as F
from harness import Case
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.norm = nn.Linear(8, 8), nn.LayerNorm(8)
        self.batch = nn.BatchNorm1d(5)
        self.lstm = nn.LSTM(8, 8, batch_first=True)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
            normed = self.norm(y)
            attended = F.scaled_dot_product_attention(y, y, normed.to(y.dtype))
            product = y @ normed.transpose(1, 2)
            return y, normed, attended, product, self.batch(y), y.sum(1), x + y


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 8, batch_first=True)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.lstm(x)[0]


class Autocast(Case):
    def test_types(self):
        x = torch.randn(2, 5, 8)
        model = Model().eval()
        with torch.no_grad():
            wanted = [y.dtype for y in model(x)]
        exported = self.check(model, (x,), double=False)
        self.assertEqual(self.types(exported), wanted)

    def test_recurrent(self):
        x = torch.randn(2, 5, 8)
        model = Recurrent()
        exported = self.check(model, (x,), double=False)
        with torch.no_grad():
            self.assertEqual(self.types(exported), [model(x).dtype])

    @staticmethod
    def types(exported):
        names = {"f32": torch.float32, "bf16": torch.bfloat16}
        main = next(line for line in exported.mlir.splitlines() if "@main(" in line)
        results = main.rsplit("->", 1)[1].split(" attributes")[0]
        parts = results.strip(" (){").split(", tensor")
        return [names[part.rstrip(">").rpartition("x")[2]] for part in parts]


if __name__ == "__main__":
    unittest.main()
