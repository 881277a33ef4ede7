"""Models for the command line."""

import torch
from torch import nn


class Model(nn.Module):
    """In KernelBench's form."""

    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 4)
        self.scale = torch.linspace(0.5, 1, 3).tolist()[1]  # reads values

    def forward(self, x):
        return torch.relu(self.linear(x)) * self.scale


def get_inputs():
    return [torch.randn(2, 3)]


def get_init_inputs():
    return [3]


def keywords():
    return nn.Embedding(5, 4), (), {"input": torch.tensor([1, 2])}


def refused():
    class Refused(nn.Module):
        def forward(self, x):
            return torch.linalg.svd(x)[1]

    return nn.Sequential(Refused()), (torch.randn(3, 3),)


def wrong():
    return 3


broken = 1
