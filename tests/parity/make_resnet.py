#!/usr/bin/python3
"""Writes resnet.json: what torchvision's residual networks are made of, and what resnet18 computes.

The weights are not kept: both sides fill them by the formula of `drawn`, and compute in double.
Run from the root of the project with Python's torchvision installed: tests/parity/make_resnet.py
"""
import json
import math
import pathlib

import torch
import torchvision

CLASSES = 10


def drawn(name, shape):
    """Numbers in [0, 1) that look random, from the name and the place alone."""
    key = sum((place + 1) * letter for place, letter in enumerate(name.encode())) % 997
    wave = torch.sin(torch.arange(math.prod(shape), dtype=torch.float64) * 12.9898 + key) * 43758.5453
    return (wave - wave.floor()).reshape(shape)


def filled(name, tensor):
    values = drawn(name, tuple(tensor.shape))
    if tensor.dim() == 4:
        fan_out = tensor.shape[0] * tensor.shape[2] * tensor.shape[3]
        return (values - 0.5) * math.sqrt(24 / fan_out)
    if tensor.dim() == 2:
        return (values - 0.5) * 0.1
    return values + 0.5 if name.endswith(("weight", "running_var")) else (values - 0.5) * 0.2


def fill(model):
    for name, tensor in model.state_dict().items():
        if tensor.is_floating_point():
            tensor.copy_(filled(name, tensor))


def shapes(named):
    return [[name, list(tensor.shape)] for name, tensor in named]


def contents(model):
    return {"parameters": shapes(model.named_parameters()), "buffers": shapes(model.named_buffers())}


def run():
    model = torchvision.models.resnet18(num_classes=CLASSES).double()
    fill(model)
    image = drawn("input", (2, 3, 64, 64)) * 2 - 1
    evaluated = model.eval()(image)
    trained = model.train()(image)
    trained.square().mean().backward()
    return {
        "eval": evaluated.flatten().tolist(),
        "train": trained.flatten().tolist(),
        "gradient_norms": {name: value.grad.norm().item() for name, value in model.named_parameters()},
        "buffer_norms_after": {name: value.double().norm().item() for name, value in model.named_buffers()},
    }


def main():
    models = {depth: getattr(torchvision.models, f"resnet{depth}")() for depth in (18, 50)}
    content = {
        "torchvision": torchvision.__version__,
        "contents": {depth: contents(model) for depth, model in models.items()},
        "classes": CLASSES,
        "resnet18": run(),
    }
    path = pathlib.Path(__file__).with_name("resnet.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
