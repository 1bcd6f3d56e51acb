#!/usr/bin/python3
"""Writes activations.json: outputs and gradients of PyTorch's activations and of layers that change shapes.

Run from the root of the project with Python's torch installed: tests/parity/make_activations.py
"""
import math

import torch
from torch import nn
from torch.nn import functional
from torchvision.models.shufflenetv2 import channel_shuffle
from torchvision.transforms.functional import center_crop

from layer_truth import Expression, case, write

ROWS, IMAGE, CHANNELS = (2, 3, 4), (2, 2, 3, 4), (2, 6, 2, 3)


def draw(shape):
    """Values on both sides of the bends of hard activations, 6 among them."""
    return torch.randn(shape, dtype=torch.double) * 3


def activations():
    yield "relu", {}, nn.ReLU()
    yield "relu6", {}, nn.ReLU6()
    yield "leaky_relu", {}, nn.LeakyReLU()
    yield "leaky_relu", {"negative_slope": 0.3}, nn.LeakyReLU(0.3)
    yield "elu", {}, nn.ELU()
    yield "elu", {"alpha": 0.7}, nn.ELU(0.7)
    yield "celu", {"alpha": 0.7}, nn.CELU(0.7)
    yield "selu", {}, nn.SELU()
    yield "gelu", {}, nn.GELU()
    yield "silu", {}, nn.SiLU()
    yield "mish", {}, nn.Mish()
    yield "softplus", {}, nn.Softplus()
    yield "softplus", {"beta": 2, "threshold": 1}, nn.Softplus(2, 1)
    yield "softsign", {}, nn.Softsign()
    yield "tanh", {}, nn.Tanh()
    yield "hardtanh", {}, nn.Hardtanh()
    yield "hardtanh", {"min_val": -2, "max_val": 0.5}, nn.Hardtanh(-2, 0.5)
    yield "hardswish", {}, nn.Hardswish()
    yield "hardsigmoid", {}, nn.Hardsigmoid()
    yield "sigmoid", {}, nn.Sigmoid()
    yield "log_sigmoid", {}, nn.LogSigmoid()
    yield "tanhshrink", {}, nn.Tanhshrink()
    yield "hardshrink", {"lambda": 1.5}, nn.Hardshrink(1.5)
    yield "softshrink", {"lambda": 1.5}, nn.Softshrink(1.5)
    yield "prelu", {}, nn.PReLU()
    yield "softmax", {}, nn.Softmax(-1)
    yield "softmax", {"dim": 0}, nn.Softmax(1)
    yield "log_softmax", {"dim": -1}, nn.LogSoftmax(-1)
    yield "glu", {}, nn.GLU()


def gated(gate):
    """As PyTorch's GLU: the second half is the gate."""
    return Expression(lambda value: value.chunk(2, 1)[0] * gate(value.chunk(2, 1)[1]))


def of_channels():
    yield "prelu", {"per_channel": True}, nn.PReLU(6)
    yield "softmax", {}, nn.Softmax(1)
    yield "log_softmax", {}, nn.LogSoftmax(1)
    yield "softmax", {"dim": -2}, nn.Softmax(2)
    yield "glu", {}, nn.GLU(1)
    yield "swiglu", {}, gated(functional.silu)
    yield "geglu", {}, gated(functional.gelu)
    yield "reglu", {}, gated(functional.relu)
    yield "channel_shuffle", {"groups": 3}, Expression(lambda value: channel_shuffle(value, 3))


def padded(sides, mode, value=0):
    return Expression(lambda image: functional.pad(image, sides, mode, value))


def shapes():
    yield "reshape", {"shape": [4, -1]}, Expression(lambda value: value.reshape(-1, 4, 6))
    yield "permute", {"dims": [1, 2, 0]}, Expression(lambda value: value.permute(0, 2, 3, 1))
    yield "pad", {"padding": [1, 0, 2, 1], "value": 0.5}, padded((1, 0, 2, 1), "constant", 0.5)
    yield "pad", {"padding": [1, 2, 2, 1], "mode": "reflect"}, padded((1, 2, 2, 1), "reflect")
    yield "pad", {"padding": 2, "mode": "replicate"}, padded((2, 2, 2, 2), "replicate")
    yield "pad", {"padding": [4, 1, 0, 3], "mode": "circular"}, padded((4, 1, 0, 3), "circular")
    yield "crop", {"margins": [1, 0, 0, 1]}, padded((-1, 0, 0, -1), "constant")
    yield "crop", {"size": [1, 2]}, Expression(lambda value: center_crop(value, [1, 2]))
    yield "pixel_unshuffle", {"downscale_factor": 1}, nn.PixelUnshuffle(1)
    yield "upsample2d", {"factor": 3}, nn.Upsample(scale_factor=3)
    yield "upsample2d", {"size": [5, 3]}, nn.Upsample((5, 3))
    yield "upsample2d", {"mode": "bilinear", "size": [5, 7]}, nn.Upsample((5, 7), mode="bilinear")
    yield "upsample2d", {"mode": "bilinear", "align_corners": True}, nn.Upsample(
        scale_factor=2, mode="bilinear", align_corners=True)
    yield "upsample2d", {"mode": "bicubic"}, nn.Upsample(scale_factor=2, mode="bicubic")
    yield "upsample2d", {"mode": "bicubic", "size": 6, "align_corners": True}, nn.Upsample(
        6, mode="bicubic", align_corners=True)


class Reversed(torch.autograd.Function):
    @staticmethod
    def forward(context, value):
        return value.view_as(value)

    @staticmethod
    def backward(context, gradient):
        return -0.5 * gradient


class Scaled(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(shape, dtype=torch.double))

    def forward(self, value):
        return value * self.weight


class Placed(Scaled):
    def forward(self, value):
        return value + self.weight[:value.shape[1]]


def waves(value):
    """Each value from its formula."""
    length, width = value.shape[1:]
    rows = [[(math.sin, math.cos)[k % 2](t / 100 ** ((k - k % 2) / width)) for k in range(width)]
            for t in range(length)]
    return value + torch.tensor(rows, dtype=torch.double)


def multiplied(gate):
    return {"nodes": [{gate: {"name": "gate"}}, {"multiply": {"in": ["gate", "input"]}}]}


def cases():
    for layer, options, module in activations():
        yield case(layer, options, module.double(), draw(ROWS))
    for layer, options, module in of_channels():
        yield case(layer, options, module.double(), draw(CHANNELS))
    for layer, options, module in shapes():
        yield case(layer, options, module.double(), draw(IMAGE))
    yield case("pixel_shuffle", {}, nn.PixelShuffle(2), draw((2, 8, 2, 3)))
    yield case("pixel_unshuffle", {}, nn.PixelUnshuffle(2), draw((2, 2, 4, 6)))
    yield case("layer_scale", {}, Scaled((6, 1, 1)), draw(CHANNELS))
    yield case("position_embedding", {"length": 5}, Placed((5, 4)), draw(ROWS))
    yield case("sinusoidal_positions", {"base": 100}, Expression(waves), draw(ROWS))
    yield case("gradient_reversal", {"scale": 0.5}, Expression(Reversed.apply), draw(ROWS))
    yield case("graph", multiplied("global_average_pool"),
               Expression(lambda value: value * value.mean((2, 3), keepdim=True)), draw(CHANNELS))
    yield case("graph", multiplied("stop_gradient"), Expression(lambda value: value * value.detach()), draw(ROWS))
    for mode in ("mean", "sum", "max"):
        for padding in ({}, {"padding_idx": 2}):
            yield case("embedding_bag", {"size": 3, "mode": mode} | padding,
                       nn.EmbeddingBag(5, 3, mode=mode, **padding).double(), torch.randint(5, (3, 4)))


torch.manual_seed(3)
write("activations.json", cases())
