#!/usr/bin/python3
"""Writes vision.json: outputs and gradients of attention and of blocks for images, PyTorch's, torchvision's and papers'.

Blocks of whole models that make_torchvision.py looks at are not here again.

Run from the root of the project with Python's torchvision installed: tests/parity/make_vision.py
"""
import torch
from torch import nn
from torchvision.models import swin_transformer, vision_transformer

from layer_truth import case, shake, write

EPS = 1e-6


class SelfAttention(nn.MultiheadAttention):
    """PyTorch's attention of a sequence to itself."""

    def __init__(self, width, heads, causal=False, bias=True):
        super().__init__(width, heads, bias=bias, batch_first=True)
        self.causal = causal

    def forward(self, value):
        length = value.shape[1]
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1) if self.causal else None
        return super().forward(value, value, value, attn_mask=hidden, need_weights=False)[0]


class CrossAttention(nn.Module):
    """To another sequence, of which there are fewer places."""

    def __init__(self, width, heads):
        super().__init__()
        self.seen = nn.Linear(width, width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, value):
        seen = self.seen(value)
        return self.attention(value, seen, seen, need_weights=False)[0]


CROSS = {"nodes": [{"linear": {"name": "seen", "out_features": 6}},
                   {"multihead_attention": {"name": "attention", "heads": 3, "in": ["input", "seen"]}}]}


def channels_last(module):
    """A module over [B, H, W, C] as one over [B, C, H, W]."""
    forward = module.forward
    module.forward = lambda image: forward(image.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
    return module


class Cbam(nn.Module):
    """Woo et al. 2018, equations 1 to 3."""

    def __init__(self, channels, squeezed, window):
        super().__init__()
        self.mlp = nn.ModuleDict({"fc1": nn.Linear(channels, squeezed), "fc2": nn.Linear(squeezed, channels)})
        self.conv = nn.Conv2d(2, 1, window, padding=window // 2, bias=False)

    def judge(self, values):
        return self.mlp["fc2"](self.mlp["fc1"](values).relu())

    def forward(self, image):
        weights = torch.sigmoid(self.judge(image.mean((2, 3))) + self.judge(image.amax((2, 3))))
        image = image * weights[:, :, None, None]
        maps = torch.cat([image.amax(1, keepdim=True), image.mean(1, keepdim=True)], 1)
        return image * torch.sigmoid(self.conv(maps))


class Small(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, value):
        return self.fc2(nn.functional.gelu(self.fc1(value)))


class MixerBlock(nn.Module):
    """Tolstikhin et al. 2021, equation 1."""

    def __init__(self, places, width, tokens, channels):
        super().__init__()
        self.norm1, self.mlp_tokens = nn.LayerNorm(width, EPS), Small(places, tokens)
        self.norm2, self.mlp_channels = nn.LayerNorm(width, EPS), Small(width, channels)

    def forward(self, value):
        value = value + self.mlp_tokens(self.norm1(value).transpose(1, 2)).transpose(1, 2)
        return value + self.mlp_channels(self.norm2(value))


class Mixer(nn.Module):
    def __init__(self, side, width, places, layers, classes):
        super().__init__()
        self.stem = nn.ModuleDict({"proj": nn.Conv2d(3, width, side, side)})
        self.blocks = nn.Sequential(*(MixerBlock(places, width, width // 2, 4 * width) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width, EPS), nn.Linear(width, classes)

    def forward(self, image):
        rows = self.stem["proj"](image).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.blocks(rows)).mean(1))


def sequences():
    yield "multihead_attention", {"heads": 2}, SelfAttention(6, 2)
    yield "multihead_attention", {"heads": 3, "causal": True, "bias": False}, SelfAttention(6, 3, True, False)
    yield "graph", CROSS, CrossAttention(6, 3)
    yield "vit_block", {"heads": 2, "hidden": 7}, vision_transformer.EncoderBlock(2, 6, 7, 0, 0)
    yield "vit_encoder", {"layers": 2, "heads": 3, "hidden": 4}, vision_transformer.Encoder(5, 2, 3, 6, 4, 0, 0)
    yield "mixer_block", {"token_hidden": 3, "channel_hidden": 4}, MixerBlock(5, 6, 3, 4)


def images():
    attention = swin_transformer.ShiftedWindowAttention
    yield "window_attention", {"heads": 2, "window": 2}, channels_last(attention(4, [2, 2], [0, 0], 2))
    yield "window_attention", {"heads": 1, "window": 3, "shift": 1}, channels_last(attention(4, [3, 3], [1, 1], 1))
    yield "patch_merging", {}, channels_last(swin_transformer.PatchMerging(4))
    yield "patch_merging", {"norm_last": True}, channels_last(swin_transformer.PatchMergingV2(4))
    yield "cbam", {"reduction": 2, "kernel_size": 3}, Cbam(4, 2, 3)


def draw(*shape):
    return torch.randn(shape, dtype=torch.double)


def cases():
    for layer, options, module in sequences():
        yield case(layer, options, shake(module.double()), draw(2, 5, 6))
    for layer, options, module in images():
        yield case(layer, options, shake(module.double()), draw(2, 4, 5, 4))
    yield case("mlp_mixer", {"patch_size": 2, "layers": 2, "width": 4, "classes": 3}, shake(Mixer(2, 4, 6, 2, 3).double()),
               draw(2, 3, 4, 6))


torch.manual_seed(3)
write("vision.json", cases())
