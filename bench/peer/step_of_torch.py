"""One training step of a known network in PyTorch, timed: step_of_torch.py NETWORK THREADS [SECONDS]

The twin of bench/steps/step_of.cpp: the same networks, batches, optimizers and line of JSON.
"""
import json
import resource
import statistics
import sys
import time

import networks
import torch
import torch.nn.functional as F
from torch.optim import SGD, Adam, AdamW

# A tiny learning rate: at a usual one a fixed batch is learnt by heart, and numbers near zero slow the processor down.
LR = 1e-7
SUBJECTS = {
    "mlp": (networks.Mlp, lambda p: Adam(p, lr=LR), (64, 784), 10),
    "lenet": (networks.LeNet, lambda p: SGD(p, lr=LR, momentum=0.9), (128, 1, 28, 28), 10),
    "resnet20": (networks.ResNet20, lambda p: SGD(p, lr=LR, momentum=0.9, weight_decay=1e-4), (128, 3, 32, 32), 10),
    "resnet18": (networks.resnet18, lambda p: SGD(p, lr=LR, momentum=0.9, weight_decay=1e-4), (32, 3, 64, 64), 200),
    "gpt": (networks.Gpt, lambda p: AdamW(p, lr=LR), (16, 128), 65),
}


def batch_of(name, shape, classes):
    if name == "gpt":
        return torch.randint(classes, shape), torch.randint(classes, shape)
    return torch.randn(shape), torch.randint(classes, shape[:1])


def make_step(model, optimizer, inputs, targets, classes):
    def step():
        optimizer.zero_grad()
        scores = model(inputs)
        loss = F.cross_entropy(scores.view(-1, classes), targets.view(-1))
        loss.backward()
        optimizer.step()
        return loss.item()
    return step


def timed(step, seconds, least):
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


def main():
    name, threads = sys.argv[1], int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 2.5
    build, optimize, shape, classes = SUBJECTS[name]
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = build().train()
    step = make_step(model, optimize(model.parameters()), *batch_of(name, shape, classes), classes)
    loss = step()
    timed(step, 0.7, 2)
    times = timed(step, seconds, 4)
    print(json.dumps({"median": statistics.median(times), "least": min(times), "steps": len(times), "loss": loss,
                      "parameters": sum(p.numel() for p in model.parameters()), "blas": loaded_blas(),
                      "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


main()
