#!/usr/bin/python3
"""Writes forward.json: outputs of small PyTorch models and losses, the truth for Hearth's.

Run from the root of the project with Python's torch installed: tests/parity/make_forward.py
"""
import json
import pathlib

import torch
from torch import nn
from torch.nn import functional


def numbers(tensor):
    return {"shape": list(tensor.shape), "values": tensor.detach().flatten().tolist()}


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden1 = nn.Linear(16, 5)
        self.hidden2 = nn.Linear(5, 4)
        self.output = nn.Linear(4, 3)

    def forward(self, image):
        value = functional.relu(self.hidden1(image.flatten(1)))
        return self.output(functional.relu(self.hidden2(value)))


class Lenet(nn.Module):
    def __init__(self, padding, flat):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 5, padding=padding)
        self.conv2 = nn.Conv2d(2, 3, 5, padding=padding)
        self.hidden = nn.Linear(flat, 4)
        self.output = nn.Linear(4, 3)

    def forward(self, image):
        value = functional.max_pool2d(functional.relu(self.conv1(image)), 2)
        value = functional.max_pool2d(functional.relu(self.conv2(value)), 2)
        return self.output(functional.relu(self.hidden(value.flatten(1))))


def model_case(name, options, model, image):
    output = model(image)
    output.square().sum().backward()
    return {
        "model": name,
        "options": options,
        "image": numbers(image),
        "parameters": {key: numbers(value) for key, value in model.named_parameters()},
        "gradients": {key: numbers(value.grad) for key, value in model.named_parameters()},
        "logits": numbers(output),
    }


def loss_case(smoothing):
    logits = torch.randn(4, 3)
    label = torch.tensor([0, 2, 1, 1])
    loss = functional.cross_entropy(logits, label, label_smoothing=smoothing)
    return {"logits": numbers(logits), "label": label.tolist(), "label_smoothing": smoothing,
            "loss": loss.item(), "probability": numbers(logits.softmax(1))}


def main():
    torch.manual_seed(2)
    lenet = {"channels": [2, 3], "hidden": 4}
    content = {
        "torch": torch.__version__,
        "models": [
            model_case("mlp", {"hidden": [5, 4]}, Mlp(), torch.randn(2, 1, 4, 4)),
            model_case("lenet", lenet, Lenet(2, 12), torch.randn(2, 1, 8, 8)),
            model_case("lenet", lenet, Lenet(0, 12), torch.randn(1, 1, 20, 20)),
        ],
        "losses": [loss_case(0), loss_case(0.1)],
    }
    path = pathlib.Path(__file__).with_name("forward.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
