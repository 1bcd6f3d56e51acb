#!/usr/bin/python3
"""Writes schedules.json: learning rates of PyTorch's schedulers over 1,000 steps, the truth for
hearth/schedule/schedules. Of each, the first steps and then every seventh are kept.

Run from the root of the project with Python's torch installed: tests/parity/make_schedules.py
"""
import json
import math
import pathlib
import warnings

import torch
from torch.optim import lr_scheduler as torchs

STEPS = 1000
PEAK = 0.4
KEPT = [step for step in range(STEPS) if step < 30 or step % 7 == 0 or step == STEPS - 1]


def rates(make, lr=PEAK, **options):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr, momentum=0.9)
    scheduler = make(optimizer, **options)
    found = []
    for _ in range(STEPS):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if len(found) < STEPS:
            scheduler.step()
    return [found[step] for step in KEPT]


def warmed_up(optimizer):
    first = torchs.LinearLR(optimizer, start_factor=0.25, total_iters=100)
    then = torchs.CosineAnnealingLR(optimizer, T_max=900, eta_min=0.1)
    return torchs.SequentialLR(optimizer, [first, then], milestones=[100])


def chained(optimizer):
    parts = [torchs.ConstantLR(optimizer, factor=0.5, total_iters=2000),
             torchs.ExponentialLR(optimizer, gamma=0.999)]
    return torchs.SequentialLR(optimizer, parts, milestones=[300])


CASES = [
    ({"step": {"first": PEAK, "factor": 0.7, "every": "110st"}},
     rates(torchs.StepLR, step_size=110, gamma=0.7)),
    ({"multi_step": {"first": PEAK, "factor": 0.3, "at": ["100st", "450st", "451st"]}},
     rates(torchs.MultiStepLR, milestones=[100, 450, 451], gamma=0.3)),
    ({"exponential": {"first": PEAK, "factor": 0.995, "every": "1st"}},
     rates(torchs.ExponentialLR, gamma=0.995)),
    ({"polynomial": {"first": PEAK, "power": 1.0, "length": "900st"}},
     rates(torchs.PolynomialLR, total_iters=900, power=1.0)),
    ({"polynomial": {"first": PEAK, "power": 2.5, "length": "100%"}},
     rates(torchs.PolynomialLR, total_iters=1000, power=2.5)),
    ({"linear": {"first": PEAK / 4, "last": PEAK, "end": "300st"}},
     rates(torchs.LinearLR, start_factor=0.25, total_iters=300)),
    ({"cosine": {"peak": PEAK, "floor": 0.1, "length": "1000st"}},
     rates(torchs.CosineAnnealingLR, T_max=1000, eta_min=0.1)),
    ({"cosine_restarts": {"peak": PEAK, "floor": 0.05, "first_length": "130st"}},
     rates(torchs.CosineAnnealingWarmRestarts, T_0=130, eta_min=0.05)),
    ({"cosine_restarts": {"peak": PEAK, "first_length": "50st", "growth": 2}},
     rates(torchs.CosineAnnealingWarmRestarts, T_0=50, T_mult=2)),
    ({"one_cycle": {"peak": PEAK}}, rates(torchs.OneCycleLR, max_lr=PEAK, total_steps=STEPS)),
    ({"one_cycle": {"peak": PEAK, "rise": 0.23, "first_divisor": 10, "last_divisor": 100,
                    "shape": "linear", "three_phases": True}},
     rates(torchs.OneCycleLR, max_lr=PEAK, total_steps=STEPS, pct_start=0.23, div_factor=10,
           final_div_factor=100, anneal_strategy="linear", three_phase=True)),
    ({"cyclic": {"low": 0.1, "high": PEAK, "up": "60st"}},
     rates(torchs.CyclicLR, base_lr=0.1, max_lr=PEAK, step_size_up=60)),
    ({"cyclic": {"low": 0.1, "high": PEAK, "up": "60st", "down": "25st", "shape": "triangular2"}},
     rates(torchs.CyclicLR, base_lr=0.1, max_lr=PEAK, step_size_up=60, step_size_down=25,
           mode="triangular2")),
    ({"cyclic": {"low": 0.1, "high": PEAK, "up": "60st", "shape": "exp_range", "factor": 0.998}},
     rates(torchs.CyclicLR, base_lr=0.1, max_lr=PEAK, step_size_up=60, mode="exp_range",
           gamma=0.998)),
    # Torch has none: the formula of "Attention is all you need", by the step's number from 1.
    ({"inverse_square_root": {"peak": PEAK, "warmup": "200st"}},
     [PEAK * 200**0.5 * min((s + 1) ** -0.5, (s + 1) * 200**-1.5) for s in KEPT]),
    ({"warmup": {"of": {"cosine": {"peak": PEAK, "floor": 0.1}}, "length": "100st",
                 "start": 0.25}}, rates(warmed_up)),
    ({"chain": {"of": [PEAK / 2, {"exponential": {"first": PEAK, "factor": 0.999, "every": "1st"}}],
                "at": ["300st"]}}, rates(chained)),
]



def metric(step):
    """A metric that falls, stays, jumps and rises again; always above zero."""
    return round(1.5 + math.exp(-step / 40) - 0.2 * (step > 300) + 0.05 * math.sin(step * step) + step / 2000, 6)


def plateau(higher, patience, **options):
    """Hearth's patience counts the values without improvement, PyTorch's those it puts up with."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=PEAK)
    scheduler = torchs.ReduceLROnPlateau(optimizer, mode="max" if higher else "min", patience=patience - 1,
                                         eps=0, **options)
    found = []
    for step in range(STEPS):
        scheduler.step(metric(step))
        found.append(optimizer.param_groups[0]["lr"])
    return [found[step] for step in KEPT]


PLATEAUS = [
    ({"factor": 0.5, "patience": 6}, False, plateau(False, 6, factor=0.5)),
    ({"factor": 0.9, "patience": 1, "min_change": 0.01, "cooldown": 5, "floor": 0.001}, False,
     plateau(False, 1, factor=0.9, threshold=0.01, cooldown=5, min_lr=0.001 * PEAK)),
    ({"factor": 0.7, "patience": 20, "min_change": 0.02, "relative": False}, True,
     plateau(True, 20, factor=0.7, threshold=0.02, threshold_mode="abs")),
]


def main():
    content = {"torch": torch.__version__, "steps": STEPS, "kept": KEPT,
               "cases": [{"schedule": schedule, "values": values} for schedule, values in CASES],
               "metric": [metric(step) for step in range(STEPS)],
               "plateaus": [{"options": options, "higher": higher, "values": values}
                            for options, higher, values in PLATEAUS]}
    path = pathlib.Path(__file__).with_name("schedules.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


warnings.simplefilter("ignore")
main()
