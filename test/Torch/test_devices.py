"""Models on a GPU, as fake tensors: none is needed. PyTorch takes other operations
there (fused cells, cuDNN's normalisation, dropout in one kernel)."""

import unittest

import kernelskill
import torch
import torch.nn.functional as F
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.lstm = nn.LSTM(4, 5, batch_first=True)
        self.cell = nn.GRUCell(5, 5)
        self.dropout = nn.Dropout(0.2)
        self.layer = nn.TransformerEncoderLayer(5, 1, 8, batch_first=True)

    def forward(self, x):
        x = self.norm(self.conv(x)).relu()
        y, _ = self.lstm(x.flatten(2).transpose(1, 2))
        y = self.dropout(y)
        h = self.cell(y[:, 0])
        y = self.layer(y) + h[:, None] + torch.arange(5, device=y.device)
        return F.scaled_dot_product_attention(y, y, y, is_causal=True)


class Devices(unittest.TestCase):
    def made(self, train):
        with FakeTensorMode(), torch.device("cuda"):
            return Model().train(train), (torch.randn(2, 3, 6, 6),)

    def test_evaluation(self):
        exported = kernelskill.export(*self.made(False))
        self.assertEqual(exported.signature["random"], [])
        self.assertEqual(exported.mutations, [])
        self.assertEqual(exported.mlir.count('ks.op = "attention"'), 2)
        self.assertNotRegex(exported.mlir, r"tensor<[0-9x]*f64>")

    def test_training(self):
        exported = kernelskill.export(*self.made(True))
        laws = {entry["law"] for entry in exported.signature["random"]}
        self.assertEqual(laws, {"dropout"})
        self.assertEqual(len(exported.mutations), 3)


if __name__ == "__main__":
    unittest.main()
