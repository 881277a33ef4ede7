"""Layers of torch.nn, values against PyTorch."""

import unittest

import torch
from harness import Case
from torch import nn


def trained(module):
    """Statistics and weights that tell: constructors leave zeros and ones."""
    with torch.no_grad():
        for _, weight in module.named_parameters():
            if weight.dim() <= 1:
                weight.add_(0.1 * torch.randn(weight.shape))
        for name, buffer in module.named_buffers():
            if name.endswith("running_var"):
                buffer.add_(torch.rand(buffer.shape))
            elif name.endswith("running_mean"):
                buffer.add_(0.1 * torch.randn(buffer.shape))
    return module


class Norms(Case):
    def test_group_norm(self):
        self.check(trained(nn.GroupNorm(3, 6)).eval(), (torch.randn(2, 6, 5, 7),))

    def test_layer_norm(self):
        self.check(trained(nn.LayerNorm((5, 7))), (torch.randn(3, 5, 7),))

    def test_layer_norm_f16(self):
        self.check(trained(nn.LayerNorm(24)).half(), (torch.randn(3, 24).half(),))

    def test_batch_norm_eval(self):
        self.check(trained(nn.BatchNorm2d(4)).eval(), (torch.randn(2, 4, 5, 3),))

    def test_batch_norm_train(self):
        exported = self.check(
            trained(nn.BatchNorm2d(4)).train(), (torch.randn(2, 4, 5, 3),)
        )
        names = [exported.arguments[i][0] for i in exported.mutations]
        self.assertEqual(names, ["running_mean", "running_var", "num_batches_tracked"])

    def test_instance_norm(self):
        self.check(
            trained(nn.InstanceNorm2d(4, affine=True)), (torch.randn(2, 4, 5, 3),)
        )

    def test_instance_norm_running(self):
        module = trained(nn.InstanceNorm1d(4, track_running_stats=True))
        self.check(module.train(), (torch.randn(2, 4, 5),))
        self.check(module.eval(), (torch.randn(2, 4, 5),))

    def test_rms_norm(self):
        self.check(trained(nn.RMSNorm(16)), (torch.randn(3, 16),))

    def test_no_float64(self):
        for module, shape in (
            (nn.LayerNorm(8), (3, 8)),
            (nn.InstanceNorm1d(4), (2, 4, 5)),
            (nn.GroupNorm(2, 4), (2, 4, 5)),
            (nn.BatchNorm1d(4).train(), (2, 4, 5)),
        ):
            import kernelskill

            mlir = kernelskill.export(module, (torch.randn(shape),)).mlir
            self.assertNotRegex(mlir, r"tensor<[0-9x]*f64>")
            self.assertNotIn("dense_resource", mlir)


class Statistics(Case):
    def test_all(self):
        class Module(nn.Module):
            def forward(self, x):
                return (
                    x.var(1),
                    x.var((0, 2), correction=0, keepdim=True),
                    x.std(),
                    *torch.var_mean(x, -1),
                    *torch.std_mean(x, (0, 1), correction=2),
                )

        self.check(Module(), (torch.randn(3, 5, 4),))


class Linear(Case):
    def test_f32(self):
        self.check(nn.Linear(7, 5), (torch.randn(2, 3, 7),))

    def test_f16(self):
        self.check(nn.Linear(7, 5).half(), (torch.randn(3, 7).half(),))

    def test_bf16_no_bias(self):
        module = nn.Linear(7, 5, bias=False).bfloat16()
        self.check(module, (torch.randn(3, 7).bfloat16(),))

    def test_bilinear(self):
        self.check(nn.Bilinear(3, 4, 5), (torch.randn(6, 3), torch.randn(6, 4)))

    def test_addmm(self):
        class Module(nn.Module):
            def forward(self, a, b, c):
                return torch.addmm(a, b, c, beta=0.5, alpha=2), torch.addmv(
                    a[:, 0], b, c[:, 0]
                )

        self.check(Module(), (torch.randn(3, 5), torch.randn(3, 4), torch.randn(4, 5)))


class Convolution(Case):
    def test_grouped(self):
        self.check(
            nn.Conv2d(4, 6, 3, groups=2, padding=1, stride=2),
            (torch.randn(2, 4, 7, 6),),
        )

    def test_depthwise_1d(self):
        self.check(nn.Conv1d(4, 4, 3, groups=4, dilation=2), (torch.randn(2, 4, 9),))

    def test_3d(self):
        self.check(nn.Conv3d(2, 3, (1, 2, 3)), (torch.randn(2, 2, 3, 4, 5),))

    def test_transposed(self):
        for module, shape in (
            (nn.ConvTranspose1d(3, 2, 3, stride=2, output_padding=1), (2, 3, 5)),
            (nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, groups=2), (2, 4, 4, 5)),
            (nn.ConvTranspose3d(2, 3, 2, stride=(1, 2, 1)), (1, 2, 3, 2, 3)),
        ):
            self.check(module, (torch.randn(shape),))

    def test_padding_modes(self):
        for mode in ("same", "valid"):
            self.check(nn.Conv2d(2, 3, 3, padding=mode), (torch.randn(1, 2, 5, 6),))
        self.check(
            nn.Conv2d(2, 3, 3, padding=1, padding_mode="reflect"),
            (torch.randn(1, 2, 5, 6),),
        )


if __name__ == "__main__":
    unittest.main()
