#!/usr/bin/python3
"""Writes optim.json: twenty steps of PyTorch's optimizers, the truth for hearth/optim/optimizers.

Run from the root of the project with Python's torch installed: tests/parity/make_optim.py
"""
import json
import pathlib

import torch

STEPS = 20
SHAPES = {"weight": (2, 3), "bias": (2,)}
SKIPPED = {"bias": 7}  # the step at which a parameter has no gradient
CASES = [
    ("sgd", torch.optim.SGD, {"lr": 0.1}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.05}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("adam", torch.optim.Adam, {}),
    ("adam", torch.optim.Adam, {"lr": 0.05, "betas": [0.8, 0.95], "eps": 1e-6, "weight_decay": 0.1}),
    ("adamw", torch.optim.AdamW, {}),
    ("adamw", torch.optim.AdamW,
     {"lr": 0.05, "betas": [0.8, 0.95], "eps": 1e-6, "weight_decay": 0.1}),
]


def numbers(tensor):
    return tensor.detach().flatten().tolist()


def run(make, options, start, gradients):
    parameters = {name: value.clone().requires_grad_() for name, value in start.items()}
    optimizer = make(parameters.values(), foreach=False, **options)
    for step in range(STEPS):
        for name, parameter in parameters.items():
            is_skipped = SKIPPED.get(name) == step
            parameter.grad = None if is_skipped else gradients[step][name].clone()
        optimizer.step()
    return {name: numbers(value) for name, value in parameters.items()}


def main():
    torch.manual_seed(1)
    start = {name: torch.randn(shape) for name, shape in SHAPES.items()}
    gradients = [{name: torch.randn(shape) for name, shape in SHAPES.items()} for _ in range(STEPS)]
    content = {
        "torch": torch.__version__,
        "shapes": SHAPES,
        "skipped": SKIPPED,
        "start": {name: numbers(value) for name, value in start.items()},
        "gradients": [{name: numbers(value) for name, value in step.items()} for step in gradients],
        "cases": [{"optimizer": name, "options": options, "end": run(make, options, start, gradients)}
                  for name, make, options in CASES],
    }
    path = pathlib.Path(__file__).with_name("optim.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
