#!/usr/bin/python3
"""Writes torchvision/<architecture>.json: what torchvision's models are made of, and what they compute.

Which models there are stands beside each architecture, in <architecture>.torchvision.yaml: a map from torchvision's
name of a model to
    options:      those of ours that make it the same
    model:        torchvision's name, where the entry is called otherwise
    torchvision:  keyword arguments of torchvision's
    compute:      how both compute numbers: `side` and `batch` of the input, `gain` that multiplies the drawn weights of
                  linear maps, further `options` and `torchvision` that make training deterministic, and `quick` for
                  those that every run of the tests computes
Weights are not kept: both sides fill them by the formula of `drawn`, and compute in double.

Run from the root of the project with Python's torchvision installed:
    tests/parity/make_torchvision.py [architecture ...]     all when none is named
    tests/parity/make_torchvision.py --contents model       prints the names and shapes whose digest is kept
"""
import hashlib
import inspect
import json
import math
import pathlib
import sys
import warnings

import torch
import torchvision
import yaml

CLASSES = 10
LISTED_CLASSES = 1000  # of the models whose names and shapes are kept
SAMPLES = 8  # parameters, buffers and values that are kept of each model
PERIOD = 1_000_003  # a prime, so that no two rows of a weight are equal
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(__file__).with_name("torchvision")


def drawn(name, shape):
    """Numbers in [0, 1) that look random, from the name and the place alone; they repeat after PERIOD."""
    key = sum((place + 1) * letter for place, letter in enumerate(name.encode())) % 997
    count = math.prod(shape)
    wave = torch.sin(torch.arange(min(count, PERIOD), dtype=torch.float64).mul_(12.9898).add_(key)).mul_(43758.5453)
    wave.sub_(wave.floor())
    return (wave if count <= PERIOD else wave.repeat(-(-count // PERIOD))[:count]).reshape(shape)


def filled(name, tensor, gain):
    """Weights that keep values in a healthy range at any depth. Biases are large: the fewer values lie near the kink of
    a relu, the fewer does rounding push over it, which in single precision would drown everything else."""
    values = drawn(name, tuple(tensor.shape))
    if tensor.dim() > 1:
        return (values - 0.5) * (gain * math.sqrt(18 / math.prod(tensor.shape[1:])))
    if name.endswith("running_mean"):
        return (values - 0.5) * 0.2
    return values + (0.5 if name.endswith(("weight", "running_var")) else 1.5)


def made(entry, name, **further):
    builder = torchvision.models.get_model_builder(entry.get("model", name))
    own = {"weights_backbone": None} if "weights_backbone" in inspect.signature(builder).parameters else {}
    return builder(weights=None, **own, **entry.get("torchvision", {}), **further)


def lines(named):
    return "".join(f"{name} {list(tensor.shape)}\n" for name, tensor in named)


def contents(model):
    """Names and shapes, parameters before buffers, each in their order."""
    return lines(model.named_parameters()) + lines(model.named_buffers())


def sorted_lines(text):
    """As files of weights have them."""
    return "".join(sorted(text.splitlines(keepends=True)))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def short(number):
    return float(f"{number:.12g}")


def summary(name, tensor):
    """Its size, and its product with numbers that look random: one that differs anywhere differs in it."""
    values = tensor.detach().double().flatten()
    probe = torch.dot(values, drawn("probe of " + name, values.shape) - 0.5)
    return [short(values.norm().item()), short(probe.item())]


def output_summary(tensor):
    values = tensor.detach().flatten()
    some = values[::max(1, len(values) // SAMPLES)][:SAMPLES]
    return {"shape": list(tensor.shape), "summary": summary("output", tensor), "values": [short(x) for x in some.tolist()]}


def spread(items):
    """Some of them, from the first to the last."""
    places = sorted({round(i * (len(items) - 1) / (SAMPLES - 1)) for i in range(SAMPLES)})
    return [items[place] for place in places] if items else []


def summaries(named):
    """The size of all of them together, and some by name."""
    total = math.sqrt(sum(tensor.double().square().sum().item() for _, tensor in named))
    return {"total": short(total), "some": {name: summary(name, tensor) for name, tensor in spread(named)}}


def outputs_of(result):
    if isinstance(result, dict):
        return list(result.values())
    return list(result) if isinstance(result, tuple) else [result]


def without_chance(model):
    """Nothing is dropped at random: several of torchvision's builders have no argument for that."""
    for module in model.modules():
        if isinstance(module, (torch.nn.Dropout, torchvision.ops.StochasticDepth)):
            module.p = 0.0
    return model


def numbers(entry, name):
    compute = entry.get("compute", {})
    model = without_chance(made(entry, name, num_classes=CLASSES, **compute.get("torchvision", {}))).double()
    with torch.no_grad():
        for path, tensor in model.state_dict().items():
            if tensor.is_floating_point():
                tensor.copy_(filled(path, tensor, compute.get("gain", 1.0)))
    side, batch = compute.get("side", 64), compute.get("batch", 4)
    image = drawn("input", (batch, 3, side, side)) * 2 - 1
    with torch.no_grad():
        evaluated = outputs_of(model.eval()(image))
    trained = outputs_of(model.train()(image))
    sum(((drawn("flow", tuple(output.shape)) - 0.5) * output).sum() for output in trained).backward()
    gradients = [(path, value.grad) for path, value in model.named_parameters() if value.grad is not None]
    buffers = [(path, value) for path, value in model.named_buffers() if value.is_floating_point()]
    return {
        "eval": [output_summary(output) for output in evaluated],
        "train": [output_summary(output) for output in trained],
        "gradients": summaries(gradients),
        "buffers": summaries(buffers),
    }


def truth(entry, name):
    listed = contents(made(entry, name, num_classes=LISTED_CLASSES))
    return {"tensors": listed.count("\n"), "digest": digest(listed), "sorted_digest": digest(sorted_lines(listed)),
            **numbers(entry, name)}


def read(path):
    return yaml.safe_load(path.read_text())


def write(path):
    models = {name: truth(entry or {}, name) for name, entry in read(path).items()}
    FOLDER.mkdir(exist_ok=True)
    texts = [f" {json.dumps(name)}: {json.dumps(model, separators=(',', ':'))}" for name, model in models.items()]
    target = FOLDER / path.name.replace(".torchvision.yaml", ".json")
    target.write_text("{\n" + ",\n".join(texts) + "\n}\n")


def main(words):
    warnings.simplefilter("ignore")
    for name in [name for name in dir(torch.nn.init) if name.endswith("_") and not name.startswith("_")]:
        setattr(torch.nn.init, name, lambda tensor, *_, **__: tensor)  # first values are filled over, and some take long
    files = sorted(ROOT.glob("hearth/**/*.torchvision.yaml"))
    if words and words[0] == "--contents":
        entries = {name: entry or {} for path in files for name, entry in read(path).items()}
        print(contents(made(entries[words[1]], words[1], num_classes=LISTED_CLASSES)), end="")
        return
    for path in files:
        if not words or path.name.split(".")[0] in words:
            write(path)


if __name__ == "__main__":
    main(sys.argv[1:])
