"""The demo model: the MLP half of a transformer block and a softmax head.

LayerNorm, Linear, GELU, Linear and the residual, then a second LayerNorm, the
head and the probabilities. Small, so that it runs in seconds on a CPU.
"""

import torch
from torch import nn


class MlpBlock(nn.Module):
    def __init__(self, width=48, hidden=192, classes=40):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)
        self.head_norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes, bias=False)

    def forward(self, x):
        h = self.norm(x)
        h = self.up(h)
        h = nn.functional.gelu(h)
        h = self.down(h)
        x = x + h
        logits = self.head(self.head_norm(x))
        return torch.softmax(logits, dim=-1)


def inputs():
    return (torch.randn(4, 33, 48),)
