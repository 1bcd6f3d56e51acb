"""The networks that are timed, with their batches and optimizers, and how a run is timed: the twin of bench/steps/subjects.h."""
import time

import networks
import torch
from torch.optim import SGD, Adam, AdamW

# A tiny learning rate: at a usual one a fixed batch is learnt by heart, and numbers near zero slow the processor down.
LR = 1e-7


def descent(parameters):
    return SGD(parameters, lr=LR, momentum=0.9, weight_decay=1e-4)


def adam(parameters):
    return Adam(parameters, lr=LR)


def adamw(parameters):
    return AdamW(parameters, lr=LR)


class Subject:
    """`words` is what the input is drawn from, when it is no picture; `target` the shape of the labels."""

    def __init__(self, build, optimize, shape, classes, target=None, words=0):
        self.build, self.optimize, self.shape, self.classes, self.words = build, optimize, shape, classes, words
        self.target = target or shape[:1]

    def input(self, batch=None):
        shape = (batch or self.shape[0], *self.shape[1:])
        return torch.randint(self.words, shape) if self.words else torch.randn(shape)

    def labels(self):
        return torch.randint(self.classes, self.target)


SUBJECTS = {
    "mlp": Subject(networks.Mlp, adam, (64, 784), 10),
    "lenet": Subject(networks.LeNet, lambda p: SGD(p, lr=LR, momentum=0.9), (128, 1, 28, 28), 10),
    "resnet20": Subject(networks.ResNet20, descent, (128, 3, 32, 32), 10),
    "resnet18": Subject(networks.resnet18, descent, (32, 3, 64, 64), 200),
    "gpt": Subject(networks.Gpt, adamw, (16, 128), 65, (16, 128), 65),
    "mobilenet": Subject(networks.mobilenet, descent, (32, 3, 64, 64), 200),
    "vit": Subject(networks.vit, adamw, (32, 3, 64, 64), 200),
    "lstm": Subject(networks.Lstm, adam, (32, 64), 4, words=1000),
    "unet": Subject(networks.Unet, adam, (16, 3, 64, 64), 4, (16, 64, 64)),
    "bert": Subject(networks.Bert, adamw, (16, 128), 4, words=1000),
    "convnext": Subject(networks.convnext, adamw, (32, 3, 64, 64), 200),
}


def timed(step, seconds, least):
    """How long each call takes in ms, for so long and at least so often."""
    times = []
    began = time.perf_counter()
    while time.perf_counter() - began < seconds or len(times) < least:
        start = time.perf_counter()
        step()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def loaded_blas():
    with open("/proc/self/maps") as maps:
        return next((line.split()[-1] for line in maps if "libblas.so" in line), "unknown")
