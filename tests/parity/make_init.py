#!/usr/bin/python3
"""Writes init.json: mean, deviation and bounds of what PyTorch's initializers draw, the truth for
hearth/nn/initializers.

Run from the root of the project with Python's torch installed: tests/parity/make_init.py
"""
import json
import pathlib

import torch
from torch.nn import init

WIDE = [300, 500]
FILTER = [120, 40, 3, 5]


def case(name, options, shape, fill):
    torch.manual_seed(1)
    values = fill(torch.empty(shape))
    return {"initializer": name, "options": options, "shape": shape,
            "mean": values.mean().item(), "std": values.std().item(), "least": values.min().item(),
            "greatest": values.max().item(), "zeros": (values == 0).float().mean().item()}


def kaiming(fill, mode, activation, slope):
    return lambda t: fill(t, a=slope, mode=mode, nonlinearity=activation)


CASES = [
    case("zeros", {}, WIDE, init.zeros_),
    case("ones", {}, WIDE, init.ones_),
    case("constant", {"value": 0.3}, WIDE, lambda t: init.constant_(t, 0.3)),
    case("uniform", {"low": -1, "high": 3}, WIDE, lambda t: init.uniform_(t, -1, 3)),
    case("normal", {"mean": 1, "std": 0.02}, WIDE, lambda t: init.normal_(t, 1, 0.02)),
    case("trunc_normal", {}, WIDE, init.trunc_normal_),
    case("trunc_normal", {"mean": 0.5, "std": 2, "low": -1, "high": 1}, WIDE,
         lambda t: init.trunc_normal_(t, 0.5, 2, -1, 1)),
    case("eye", {}, WIDE, init.eye_),
    case("orthogonal", {"gain": 2}, WIDE, lambda t: init.orthogonal_(t, 2)),
    case("orthogonal", {}, FILTER, init.orthogonal_),
    # What these draw before they look at the model around a parameter.
    case("lsuv", {}, FILTER, init.orthogonal_),
    case("fixup", {}, FILTER, lambda t: init.kaiming_normal_(t, nonlinearity="relu")),
    case("zero_gamma", {}, WIDE, init.zeros_),
    case("dirac", {}, FILTER, init.dirac_),
    case("dirac", {"groups": 4}, FILTER, lambda t: init.dirac_(t, 4)),
    case("sparse", {"sparsity": 0.3, "std": 0.5}, WIDE, lambda t: init.sparse_(t, 0.3, 0.5)),
]
for shape in [WIDE, FILTER]:
    for gain in [1.0, 1.7]:
        CASES.append(case("xavier_uniform", {"gain": gain}, shape,
                          lambda t: init.xavier_uniform_(t, gain)))
        CASES.append(case("xavier_normal", {"gain": gain}, shape,
                          lambda t: init.xavier_normal_(t, gain)))
    for mode in ["fan_in", "fan_out"]:
        for activation, slope in [("relu", 0), ("leaky_relu", 0.3), ("tanh", 0), ("selu", 0),
                                  ("linear", 0), ("sigmoid", 0)]:
            options = {"mode": mode, "activation": activation, "negative_slope": slope}
            CASES.append(case("kaiming_uniform", options, shape,
                              kaiming(init.kaiming_uniform_, mode, activation, slope)))
            CASES.append(case("kaiming_normal", options, shape,
                              kaiming(init.kaiming_normal_, mode, activation, slope)))

path = pathlib.Path(__file__).with_name("init.json")
path.write_text(json.dumps({"torch": torch.__version__, "cases": CASES}, indent=0) + "\n")
