#!/usr/bin/python3
"""Writes statistics.json: running statistics of batch norms after torch.optim.swa_utils.update_bn, the truth for
hearth/nn/batch_norm_layer.

Run from the root of the project with Python's torch installed: tests/parity/make_statistics.py
"""
import json
import pathlib

import torch
from torch.optim.swa_utils import update_bn

torch.manual_seed(5)
MODEL = torch.nn.Sequential(torch.nn.BatchNorm2d(2, momentum=0.3), torch.nn.ReLU(), torch.nn.Flatten(),
                            torch.nn.Linear(12, 3), torch.nn.BatchNorm1d(3))


def tensor(values):
    return {"shape": list(values.shape), "values": [round(v, 7) for v in values.flatten().tolist()]}


# Batches of several sizes: each counts the same.
BATCHES = [torch.randn(rows, 2, 2, 3).mul(1.5).add(0.3) for rows in (5, 5, 3)]
MODEL(BATCHES[0])  # statistics from before, which do not matter
weights = {name: tensor(value) for name, value in MODEL.named_parameters()}
update_bn(BATCHES, MODEL)
truth = {"weights": weights, "batches": [tensor(batch) for batch in BATCHES],
         "buffers": {name: tensor(value.float()) for name, value in MODEL.named_buffers()}}
pathlib.Path("tests/parity/statistics.json").write_text(json.dumps(truth, separators=(",", ":")) + "\n")
