#!/usr/bin/python3
"""Writes layers.json: outputs and gradients of PyTorch's layers, the truth for Hearth's.

Run from the root of the project with Python's torch installed: tests/parity/make_layers.py
"""
import torch
from torch import nn
from torch.nn import functional

from layer_truth import case, shake, write


class SelfAttention(nn.Module):
    """PyTorch's own multi-head attention, with the names of nanoGPT."""

    def __init__(self, width, heads, causal, bias=True):
        super().__init__()
        self.width, self.heads, self.causal = width, heads, causal
        self.c_attn = nn.Linear(width, 3 * width, bias)
        self.c_proj = nn.Linear(width, width, bias)

    def forward(self, value):
        rows = value.transpose(0, 1)
        length = rows.shape[0]
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1) if self.causal else None
        output, _ = functional.multi_head_attention_forward(
            rows, rows, rows, self.width, self.heads, self.c_attn.weight, self.c_attn.bias, None, None, False, 0,
            self.c_proj.weight, self.c_proj.bias, attn_mask=hidden, need_weights=False)
        return output.transpose(0, 1)


class Block(nn.Module):
    def __init__(self, width, heads, causal=True, factor=4):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = SelfAttention(width, heads, causal)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = nn.ModuleDict({"c_fc": nn.Linear(width, factor * width), "c_proj": nn.Linear(factor * width, width)})

    def forward(self, value):
        value = value + self.attn(self.ln_1(value))
        return value + self.mlp["c_proj"](functional.gelu(self.mlp["c_fc"](self.ln_2(value))))


class Gpt(nn.Module):
    def __init__(self, layers, width, heads, length, vocabulary):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(length, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        value = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.h:
            value = block(value)
        return self.lm_head(self.ln_f(value)).transpose(1, 2)


class Unet(nn.Module):
    """One step down and up again, with a skip."""

    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(2, 4, 3, padding=1)
        self.bottom = nn.Conv2d(4, 4, 3, padding=1)
        self.head = nn.Conv2d(8, 3, 1)

    def forward(self, image):
        high = functional.relu(self.down(image))
        deep = functional.relu(self.bottom(functional.max_pool2d(high, 2)))
        return self.head(torch.cat([functional.interpolate(deep, scale_factor=2), high], 1))


UNET = {"nodes": [{"conv2d": {"name": "down", "out_channels": 4, "padding": 1}}, {"relu": {"out": "high"}},
                  {"max_pool2d": {"name": "pool"}}, {"conv2d": {"name": "bottom", "out_channels": 4, "padding": 1}},
                  {"relu": {"name": "deep"}}, {"upsample2d": {"name": "up"}}, {"concat": {"in": ["up", "high"]}},
                  {"conv2d": {"name": "head", "out_channels": 3, "kernel_size": 1}}]}


class Siamese(nn.Module):
    """One layer twice, and the sum of both."""

    def __init__(self):
        super().__init__()
        self.tower = nn.Linear(6, 6)

    def forward(self, value):
        once = functional.silu(self.tower(value))
        return functional.relu(self.tower(once) + value)


SIAMESE = {"nodes": [{"linear": {"name": "tower", "out_features": 6}}, {"silu": {"out": "once"}},
                     {"use": {"layer": "tower", "out": "twice"}}, {"add": {"in": ["twice", "input"]}}, "relu"]}


def cases():
    image, rows = (3, 2, 4, 3), (2, 5, 6)
    norm = {"momentum": 0.2, "eps": 1e-3}
    yield case("batch_norm2d", {}, shake(nn.BatchNorm2d(2)), torch.randn(image))
    yield case("batch_norm2d", norm, shake(nn.BatchNorm2d(2, **norm)), torch.randn(image))
    yield case("batch_norm2d", {}, shake(nn.BatchNorm2d(2)), torch.randn(image), False)
    yield case("layer_norm", {"eps": 0.01}, shake(nn.LayerNorm(6, 0.01)), torch.randn(rows))
    yield case("gelu", {}, nn.GELU(), torch.randn(rows))
    yield case("gelu", {"approximate": "tanh"}, nn.GELU("tanh"), torch.randn(rows))
    yield case("average_pool2d", {"kernel_size": 3, "stride": 2, "padding": 1}, nn.AvgPool2d(3, 2, 1), torch.randn(image))
    yield case("self_attention", {"heads": 2}, SelfAttention(6, 2, True), torch.randn(rows))
    yield case("self_attention", {"heads": 3, "causal": False, "bias": False}, SelfAttention(6, 3, False, False),
               torch.randn(rows))
    yield case("transformer_block", {"heads": 2}, shake(Block(6, 2)), torch.randn(rows))
    yield case("transformer_block", {"heads": 1, "causal": False, "hidden_factor": 2}, shake(Block(6, 1, False, 2)),
               torch.randn(rows))
    yield case("gpt", {"layers": 2, "width": 8, "heads": 2, "length": 6}, shake(Gpt(2, 8, 2, 6, 5)),
               torch.randint(5, (2, 4)))
    yield case("tanh", {}, nn.Tanh(), torch.randn(rows))
    yield case("sigmoid", {}, nn.Sigmoid(), torch.randn(rows))
    yield case("silu", {}, nn.SiLU(), torch.randn(rows))
    yield case("upsample2d", {"factor": 3}, nn.Upsample(scale_factor=3), torch.randn(image))
    yield case("upsample2d", {"mode": "bilinear"}, nn.Upsample(scale_factor=2, mode="bilinear"), torch.randn(image))
    yield case("graph", UNET, Unet(), torch.randn(2, 2, 6, 4))
    yield case("graph", SIAMESE, Siamese(), torch.randn(rows))


torch.manual_seed(3)
write("layers.json", cases())
