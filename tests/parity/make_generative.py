#!/usr/bin/python3
"""Writes generative.json: outputs and gradients of U-Nets, autoencoders, the two sides of a DCGAN and a feature pyramid as
plain modules of PyTorch, the truth for Hearth's.

Run from the root of the project with Python's torch and torchvision installed: tests/parity/make_generative.py
"""
import torch
from torch import nn
from torch.nn import functional
from torchvision.ops import FeaturePyramidNetwork
from torchvision.ops.feature_pyramid_network import LastLevelP6P7

from layer_truth import case, shake, write


def draw(*shape):
    return torch.randn(shape, dtype=torch.double)


class DoubleConv(nn.Module):
    def __init__(self, inside, middle, outside):
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(inside, middle, 3, padding=1, bias=False), nn.BatchNorm2d(middle), nn.ReLU(),
            nn.Conv2d(middle, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU())

    def forward(self, value):
        return self.double_conv(value)


class Down(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(inside, outside, outside))

    def forward(self, value):
        return self.maxpool_conv(value)


class Up(nn.Module):
    """`inside` channels come from below, `beside` from the way down."""

    def __init__(self, inside, beside, middle, outside, learned):
        super().__init__()
        self.up = nn.ConvTranspose2d(inside, inside // 2, 2, stride=2) if learned else None
        self.conv = DoubleConv(beside + (inside // 2 if learned else inside), middle, outside)

    def forward(self, below, skip):
        if self.up is not None:
            larger = self.up(below)
        else:
            larger = functional.interpolate(below, skip.shape[2:], mode="bilinear")
        return self.conv(torch.cat([skip, larger], 1))


class OutConv(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, 1)

    def forward(self, value):
        return self.conv(value)


class Unet(nn.Module):
    """Two steps down and up again."""

    def __init__(self, channels, width, classes, learned):
        super().__init__()
        half = 1 if learned else 2
        self.inc = DoubleConv(channels, width, width)
        self.down1 = Down(width, 2 * width)
        self.down2 = Down(2 * width, 4 * width // half)
        self.up1 = Up(4 * width // half, 2 * width, 2 * width, 2 * width // half, learned)
        self.up2 = Up(2 * width // half, width, width, width, learned)
        self.outc = OutConv(width, classes)

    def forward(self, image):
        first = self.inc(image)
        second = self.down1(first)
        return self.outc(self.up2(self.up1(self.down2(second), second), first))


class Autoencoder(nn.Module):
    """Of images of 4x8 points; what it rebuilt and the code, behind each other."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 2, 3, 2, 1), nn.ReLU(), nn.Conv2d(2, 3, 3, 2, 1), nn.ReLU(), nn.Flatten(),
                                     nn.Linear(6, 4), nn.ReLU())
        self.code = nn.Linear(4, 2)
        self.decoder = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 6), nn.Unflatten(1, (3, 1, 2)), nn.ReLU(),
                                     nn.ConvTranspose2d(3, 2, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(2, 1, 4, 2, 1))

    def forward(self, image):
        code = self.code(self.encoder(image))
        return torch.cat([self.decoder(code).flatten(1), code], 1)


class Vae(nn.Module):
    """As it evaluates: the code is its mean."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(5, 4), nn.ReLU())
        self.mean = nn.Linear(4, 2)
        self.log_variance = nn.Linear(4, 2)
        self.decoder = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 5))

    def forward(self, value):
        features = self.encoder(value)
        mean = self.mean(features)
        return torch.cat([self.decoder(mean), mean, self.log_variance(features)], 1)


class Generator(nn.Module):
    def __init__(self, noise, width, channels):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(noise, 2 * width, 4, 1, 0, bias=False), nn.BatchNorm2d(2 * width), nn.ReLU(),
            nn.ConvTranspose2d(2 * width, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.ConvTranspose2d(width, channels, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, noise):
        return self.main(noise[:, :, None, None])


class Discriminator(nn.Module):
    def __init__(self, width, channels):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(channels, width, 4, 2, 1, bias=False), nn.LeakyReLU(0.2),
            nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * width), nn.LeakyReLU(0.2),
            nn.Conv2d(2 * width, 1, 4, 1, 0, bias=False))

    def forward(self, image):
        return self.main(image).flatten(1)


class Pyramid(nn.Module):
    """torchvision's, over an image and a smaller one, with two levels more; points as rows."""

    def __init__(self):
        super().__init__()
        self.small = nn.Conv2d(2, 3, 3, 2, 1)
        self.pyramid = FeaturePyramidNetwork([2, 3], 3, LastLevelP6P7(3, 3))

    def forward(self, image):
        levels = self.pyramid({"0": image, "1": self.small(image)})
        return torch.cat([level.flatten(2).transpose(1, 2) for level in levels.values()], 1)


PYRAMID = {"nodes": [{"conv2d": {"name": "small", "in": "input", "out_channels": 3, "stride": 2, "padding": 1}},
                     {"fpn": {"name": "pyramid", "in": ["input", "small"], "out": ["a", "b", "c", "d"], "out_channels": 3,
                              "extra_levels": 2}},
                     {"pixel_rows": {"in": ["a", "b", "c", "d"]}}]}


def with_concat(layer, options, names, before=()):
    return {"nodes": [{layer: {"name": "0", "out": names, **options}}, *before, {"concat": {"in": names}}]}


def inside(module):
    """Its parameters below "0", where a graph has it."""
    return nn.Sequential(module).double()


def cases():
    yield case("unet", {"depth": 2, "width": 2, "classes": 2}, shake(Unet(1, 2, 2, True)).double(), draw(2, 1, 4, 8))
    yield case("unet", {"depth": 2, "width": 2, "classes": 2, "up": "bilinear"}, shake(Unet(1, 2, 2, False)).double(),
               draw(2, 1, 5, 6))
    pixels = [{"flatten": {"in": "rebuilt", "name": "pixels"}}]
    graph = with_concat("autoencoder", {"channels": [2, 3], "hidden": [4], "code": 2}, ["rebuilt", "code"], pixels)
    graph["nodes"][-1] = {"concat": {"in": ["pixels", "code"]}}
    yield case("graph", graph, inside(Autoencoder()), draw(3, 1, 4, 8))
    yield case("graph", with_concat("vae", {"hidden": [4], "code": 2}, ["rebuilt", "mean", "log_variance"]), inside(Vae()),
               draw(3, 5), False)
    yield case("dcgan_generator", {"size": 16, "channels": 1, "width": 1}, shake(Generator(3, 1, 1)).double(), draw(3, 3))
    yield case("dcgan_discriminator", {"width": 1}, shake(Discriminator(1, 1)).double(), draw(2, 1, 16, 16))
    yield case("graph", PYRAMID, Pyramid().double(), draw(2, 2, 5, 6))


def main():
    torch.manual_seed(11)
    write("generative.json", cases())


main()
