#!/usr/bin/python3
"""Writes grid_layers.json: convolutions, pools, norms and dropouts of PyTorch's and torchvision's, the truth for Hearth's.

Run from the root of the project with Python's torch and torchvision installed: tests/parity/make_grid_layers.py
"""
import collections

import torch
import torchvision
from torch import nn
from torch.nn import functional
from torch.nn.utils import spectral_norm, weight_norm

from layer_truth import Expression, case, shake, write

CONVOLUTIONS = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}
TRANSPOSED = {1: nn.ConvTranspose1d, 2: nn.ConvTranspose2d, 3: nn.ConvTranspose3d}
BATCH_NORMS = {1: nn.BatchNorm1d, 2: nn.BatchNorm2d, 3: nn.BatchNorm3d}
INSTANCE_NORMS = {1: nn.InstanceNorm1d, 2: nn.InstanceNorm2d, 3: nn.InstanceNorm3d}
GRIDS = {1: (2, 2, 7), 2: (2, 2, 4, 5), 3: (2, 2, 3, 3, 3)}


class ChannelNorm(nn.LayerNorm):
    def forward(self, value):
        return super().forward(value.movedim(1, -1)).movedim(-1, 1)


class RmsNorm(nn.Module):
    """x / sqrt(mean(x^2) + eps) * weight (Zhang and Sennrich, 2019)."""

    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, value):
        return value / torch.sqrt((value ** 2).mean(-1, keepdim=True) + self.eps) * self.weight


class GemPool(nn.Module):
    """(mean of x^p)^(1/p) (Radenovic et al., 2018)."""

    def __init__(self, power, eps):
        super().__init__()
        self.p = nn.Parameter(torch.tensor([power]))
        self.eps = eps

    def forward(self, value):
        powers = value.clamp(min=self.eps) ** self.p
        return functional.avg_pool2d(powers, value.shape[2:]).flatten(1) ** (1 / self.p)


class AttentionPool(nn.Module):
    def __init__(self, width, hidden=None):
        super().__init__()
        if hidden:
            self.hidden = nn.Linear(width, hidden)
        self.score = nn.Linear(hidden or width, 1, bias=False)

    def forward(self, value):
        places = value.flatten(2).transpose(1, 2) if value.dim() == 4 else value
        between = torch.tanh(self.hidden(places)) if hasattr(self, "hidden") else places
        return (self.score(between).softmax(1) * places).sum(1)


def blur(value, row, stride):
    """Zhang's blur pool (2019): a binomial window over a mirrored border, every so many points."""
    window = torch.outer(row, row) / row.sum() ** 2
    channels, size = value.shape[1], len(row)
    before, after = (size - 1) // 2, size // 2
    padded = functional.pad(value, (before, after, before, after), mode="reflect")
    return functional.conv2d(padded, window.expand(channels, 1, size, size), stride=stride, groups=channels)


def called(module, value, times=5):
    """A module that has seen some batches: its power iterations are on their way."""
    for _ in range(times):
        module(value)
    return module


def convolutions():
    for count in (1, 2, 3):
        value = GRIDS[count]
        some = {"kernel_size": 3, "stride": 2, "padding": 1}
        yield case(f"conv{count}d", {"out_channels": 3, **some}, CONVOLUTIONS[count](2, 3, **some), torch.randn(value))
        grouped = {"kernel_size": 2, "dilation": 2, "groups": 2, "bias": False}
        yield case(f"conv{count}d", {"out_channels": 4, **grouped}, CONVOLUTIONS[count](2, 4, **grouped),
                   torch.randn(value))
        for size in (3, 4):
            same = {"kernel_size": size, "padding": "same"}
            yield case(f"conv{count}d", {"out_channels": 2, **same}, CONVOLUTIONS[count](2, 2, **same),
                       torch.randn(value))
        larger = {"kernel_size": 3, "stride": 2, "padding": 1, "output_padding": 1}
        yield case(f"conv_transpose{count}d", {"out_channels": 3, **larger}, TRANSPOSED[count](2, 3, **larger),
                   torch.randn(value))
        yield case(f"conv_transpose{count}d", {"out_channels": 4, **grouped}, TRANSPOSED[count](2, 4, **grouped),
                   torch.randn(value))
    sides = {"kernel_size": (1, 3), "stride": (2, 1), "padding": (0, 1), "dilation": (1, 2)}
    yield case("conv2d", {"out_channels": 3, **sides}, nn.Conv2d(2, 3, **sides), torch.randn(GRIDS[2]))
    uneven = {"kernel_size": (2, 3), "dilation": (1, 2), "padding": "same"}
    yield case("conv2d", {"out_channels": 3, **uneven}, nn.Conv2d(2, 3, **uneven), torch.randn(GRIDS[2]))
    upward = {"kernel_size": (2, 3), "stride": (2, 1), "padding": (0, 1)}
    yield case("conv_transpose2d", {"out_channels": 3, **upward}, nn.ConvTranspose2d(2, 3, **upward),
               torch.randn(GRIDS[2]))
    separable = nn.Sequential(collections.OrderedDict(
        depthwise=nn.Conv2d(2, 4, 3, 2, 1, groups=2, bias=False), pointwise=nn.Conv2d(4, 3, 1)))
    yield case("separable_conv2d", {"out_channels": 3, "stride": 2, "padding": 1, "depth_multiplier": 2}, separable,
               torch.randn(GRIDS[2]))


def norms():
    settings = {"momentum": 0.2, "eps": 1e-3}
    for count in (1, 2, 3):
        for is_training in (True, False):
            yield case(f"batch_norm{count}d", settings, shake(BATCH_NORMS[count](2, **settings)),
                       torch.randn(GRIDS[count]), is_training)
        yield case("instance_norm", {}, INSTANCE_NORMS[count](2), torch.randn(GRIDS[count]))
    yield case("batch_norm1d", {}, shake(nn.BatchNorm1d(4)), torch.randn(3, 4))
    yield case("batch_norm2d", {"affine": False}, nn.BatchNorm2d(2, affine=False), torch.randn(GRIDS[2]))
    tracking = {"affine": True, "track_running_stats": True, "momentum": 0.3}
    for is_training in (True, False):
        yield case("instance_norm", tracking, shake(nn.InstanceNorm2d(2, **tracking)), torch.randn(GRIDS[2]),
                   is_training)
    yield case("group_norm", {"groups": 2}, shake(nn.GroupNorm(2, 4)), torch.randn(2, 4, 3, 2))
    yield case("group_norm", {"groups": 3, "affine": False, "eps": 0.01}, nn.GroupNorm(3, 6, 0.01, False),
               torch.randn(2, 6))
    yield case("channel_norm", {}, shake(ChannelNorm(3)), torch.randn(2, 3, 2, 4))
    yield case("channel_norm", {"eps": 0.01}, shake(ChannelNorm(3, 0.01)), torch.randn(2, 3, 4))
    yield case("rms_norm", {"eps": 0.01}, shake(RmsNorm(5, 0.01)), torch.randn(2, 3, 5))
    yield case("weight_norm", {"layer": {"linear": {"out_features": 3}}}, weight_norm(nn.Linear(4, 3)),
               torch.randn(2, 4))
    yield case("weight_norm", {"layer": {"conv_transpose2d": {"out_channels": 3}}, "dim": 1},
               weight_norm(nn.ConvTranspose2d(2, 3, 3), dim=1), torch.randn(GRIDS[2]))
    for is_training in (True, False):
        yield case("spectral_norm", {"layer": {"conv2d": {"out_channels": 3}}},
                   called(spectral_norm(nn.Conv2d(2, 3, 3)), torch.ones(GRIDS[2])), torch.randn(GRIDS[2]), is_training)
    yield case("spectral_norm", {"layer": {"linear": {"out_features": 3}}, "n_power_iterations": 3, "dim": 1},
               spectral_norm(nn.Linear(4, 3), n_power_iterations=3, dim=1), torch.randn(2, 4))


def pools():
    largest = {1: nn.MaxPool1d, 2: nn.MaxPool2d, 3: nn.MaxPool3d}
    means = {1: nn.AvgPool1d, 2: nn.AvgPool2d, 3: nn.AvgPool3d}
    adaptive = {1: (nn.AdaptiveAvgPool1d, nn.AdaptiveMaxPool1d), 2: (nn.AdaptiveAvgPool2d, nn.AdaptiveMaxPool2d),
                3: (nn.AdaptiveAvgPool3d, nn.AdaptiveMaxPool3d)}
    for count in (1, 2, 3):
        value = GRIDS[count]
        for some in ({"kernel_size": 2}, {"kernel_size": 3, "stride": 2, "padding": 1, "ceil_mode": True},
                     {"kernel_size": 2, "stride": 1, "dilation": 2}):
            yield case(f"max_pool{count}d", some, largest[count](**some), torch.randn(value))
        for some in ({"kernel_size": 2},
                     {"kernel_size": 3, "stride": 2, "padding": 1, "ceil_mode": True, "count_include_pad": False},
                     {"kernel_size": 2, "stride": 3, "padding": 1, "ceil_mode": True}):
            yield case(f"average_pool{count}d", some, means[count](**some), torch.randn(value))
        yield case(f"adaptive_average_pool{count}d", {"size": 3}, adaptive[count][0](3), torch.randn(value))
        yield case(f"adaptive_max_pool{count}d", {"size": 2}, adaptive[count][1](2), torch.randn(value))
    sides = {"kernel_size": (1, 3), "stride": (1, 2), "padding": (0, 1)}
    yield case("max_pool2d", sides, nn.MaxPool2d(**sides), torch.randn(GRIDS[2]))
    yield case("average_pool2d", sides, nn.AvgPool2d(**sides), torch.randn(GRIDS[2]))
    yield case("adaptive_average_pool2d", {"size": [1, 4]}, nn.AdaptiveAvgPool2d((1, 4)), torch.randn(GRIDS[2]))
    yield case("global_max_pool", {}, nn.Sequential(nn.AdaptiveMaxPool2d(1), nn.Flatten()), torch.randn(GRIDS[2]))
    yield case("gem_pool", {"p": 2.5}, GemPool(2.5, 1e-6), torch.randn(GRIDS[2]))
    yield case("attention_pool", {}, AttentionPool(4), torch.randn(2, 3, 4))
    yield case("attention_pool", {"hidden": 3}, AttentionPool(2, 3), torch.randn(GRIDS[2]))
    rows = {3: [1.0, 2.0, 1.0], 4: [1.0, 3.0, 3.0, 1.0]}
    for size, stride in ((3, 2), (4, 2), (3, 1)):
        row = torch.tensor(rows[size])
        yield case("blur_pool", {"kernel_size": size, "stride": stride},
                   Expression(lambda value, row=row, stride=stride: blur(value, row, stride)), torch.randn(GRIDS[2]))


def dropouts():
    yield case("dropout2d", {"p": 0.4}, nn.Dropout2d(0.4), torch.randn(2, 6, 2, 2))
    yield case("alpha_dropout", {"p": 0.3}, nn.AlphaDropout(0.3), torch.randn(3, 8))
    yield case("alpha_dropout", {"p": 0.3}, nn.AlphaDropout(0.3), torch.randn(3, 8), False)
    yield case("drop_path", {"p": 0.4}, torchvision.ops.StochasticDepth(0.4, "row"), torch.randn(8, 2, 3))
    for size in (1, 3):
        yield case("drop_block", {"p": 0.2, "block_size": size}, torchvision.ops.DropBlock2d(0.2, size),
                   torch.randn(2, 2, 6, 5))


torch.set_default_dtype(torch.float64)
torch.manual_seed(3)
write("grid_layers.json", [*convolutions(), *norms(), *pools(), *dropouts()])
