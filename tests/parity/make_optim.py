#!/usr/bin/python3
"""Writes optim.json: twenty steps of PyTorch's optimizers, or of their papers' formulas where it has
none, in float64: the truth for hearth/optim/optimizers.

Run from the root of the project with Python's torch installed: tests/parity/make_optim.py
"""
import json
import math
import pathlib

import torch

STEPS = 20
SHAPES = {"weight": (2, 3), "bias": (2,), "filter": (3, 2, 2, 2)}
SKIPPED = {"bias": 7}  # the step at which a parameter has no gradient


class Formula(torch.optim.Optimizer):
    """Calls update(parameter, gradient, memory, step, options); steps count from 1."""

    def __init__(self, parameters, **options):
        super().__init__(parameters, {**self.defaults_of(), **options})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                memory = self.state[parameter]
                memory["step"] = memory.get("step", 0) + 1
                self.update(parameter, parameter.grad, memory, memory["step"], group)

    def learned(self, parameter):
        return parameter


def zeros(memory, name, like):
    return memory.setdefault(name, torch.zeros_like(like))


class Lion(Formula):
    def defaults_of(self):
        return {"lr": 1e-4, "betas": [0.9, 0.99], "weight_decay": 0}

    def update(self, p, g, memory, step, o):
        m = zeros(memory, "m", p)
        direction = (o["betas"][0] * m + (1 - o["betas"][0]) * g).sign()
        p.mul_(1 - o["lr"] * o["weight_decay"]).sub_(o["lr"] * direction)
        m.mul_(o["betas"][1]).add_(g, alpha=1 - o["betas"][1])


class Lamb(Formula):
    def defaults_of(self):
        return {"lr": 1e-3, "betas": [0.9, 0.999], "eps": 1e-6, "weight_decay": 0,
                "adapt_vectors": True}

    def update(self, p, g, memory, step, o):
        m, v = zeros(memory, "m", p), zeros(memory, "v", p)
        b1, b2 = o["betas"]
        m.mul_(b1).add_(g, alpha=1 - b1)
        v.mul_(b2).add_(g * g, alpha=1 - b2)
        u = (m / (1 - b1**step)) / ((v / (1 - b2**step)).sqrt() + o["eps"]) + o["weight_decay"] * p
        trust = p.norm() / u.norm() if o["adapt_vectors"] or p.dim() > 1 else 1
        p.sub_(o["lr"] * trust * u)


class Lars(Formula):
    def defaults_of(self):
        return {"lr": 0.1, "momentum": 0.9, "weight_decay": 0, "trust": 0.001, "eps": 1e-8,
                "adapt_vectors": True}

    def update(self, p, g, memory, step, o):
        v = zeros(memory, "v", p)
        local = 1
        if o["adapt_vectors"] or p.dim() > 1:
            local = o["trust"] * p.norm() / (g.norm() + o["weight_decay"] * p.norm() + o["eps"])
        v.mul_(o["momentum"]).add_(o["lr"] * local * (g + o["weight_decay"] * p))
        p.sub_(v)


class Adafactor(Formula):
    def defaults_of(self):
        return {"lr": 0.01, "eps": [1e-30, 1e-3], "clip_threshold": 1.0, "decay_rate": 0.8,
                "beta1": 0, "weight_decay": 0, "scale_parameter": True, "relative_step": True}

    def update(self, p, g, memory, step, o):
        rms = lambda t: t.square().mean().sqrt()
        keep = 1 - step ** -o["decay_rate"]
        square = g * g + o["eps"][0]
        if p.dim() >= 2:
            rows = zeros(memory, "rows", square.mean(-1))
            columns = zeros(memory, "columns", square.mean(-2))
            rows.mul_(keep).add_(square.mean(-1), alpha=1 - keep)
            columns.mul_(keep).add_(square.mean(-2), alpha=1 - keep)
            estimate = (rows / rows.mean(-1, keepdim=True)).unsqueeze(-1) * columns.unsqueeze(-2)
        else:
            estimate = zeros(memory, "square", p)
            estimate.mul_(keep).add_(square, alpha=1 - keep)
        u = g / estimate.sqrt()
        u = u / max(1.0, (rms(u) / o["clip_threshold"]).item())
        lr = min(o["lr"], 1 / math.sqrt(step)) if o["relative_step"] else o["lr"]
        if o["scale_parameter"]:
            lr = lr * max(o["eps"][1], rms(p).item())
        u = lr * u
        if o["beta1"]:
            m = zeros(memory, "m", p)
            u = m.mul_(o["beta1"]).add_(u, alpha=1 - o["beta1"])
        p.sub_(o["weight_decay"] * lr * p).sub_(u)


class Muon(Formula):
    def defaults_of(self):
        return {"lr": 0.02, "momentum": 0.95, "nesterov": True, "iterations": 5, "weight_decay": 0,
                "vector_lr_factor": 0.015, "vector_betas": [0.9, 0.95], "vector_eps": 1e-10}

    def update(self, p, g, memory, step, o):
        lr = o["lr"]
        if p.dim() < 2:
            lr *= o["vector_lr_factor"]
            m, v = zeros(memory, "m", p), zeros(memory, "v", p)
            b1, b2 = o["vector_betas"]
            m.mul_(b1).add_(g, alpha=1 - b1)
            v.mul_(b2).add_(g * g, alpha=1 - b2)
            direction = (m / (1 - b1**step)) / ((v / (1 - b2**step)).sqrt() + o["vector_eps"])
        else:
            m = zeros(memory, "m", p)
            m.lerp_(g, 1 - o["momentum"])
            x = (g.lerp(m, o["momentum"]) if o["nesterov"] else m).flatten(1)
            rows, columns = x.shape
            x = x.t() if rows > columns else x
            x = x / x.norm()
            for _ in range(o["iterations"]):
                a = x @ x.t()
                x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
            x = x.t() if rows > columns else x
            direction = x.reshape(p.shape) * max(1, rows / columns) ** 0.5
        p.mul_(1 - lr * o["weight_decay"]).sub_(lr * direction)


class ScheduleFree(Formula):
    """The sequences as the paper writes them: z moves, x is its average, y is where gradients are."""

    def defaults_of(self):
        return {"lr": 1.0, "momentum": 0.9, "weight_decay": 0, "weight_lr_power": 2, "step_power": 0}

    def direction(self, p, g, memory, step, o):
        return g + o["weight_decay"] * p, o["momentum"]

    def update(self, p, g, memory, step, o):
        z, x = memory.setdefault("z", p.clone()), memory.setdefault("x", p.clone())
        d, beta = self.direction(p, g, memory, step, o)
        z.sub_(o["lr"] * d)
        weight = step ** o["step_power"] * o["lr"] ** o["weight_lr_power"]
        memory["sum"] = memory.get("sum", 0) + weight
        share = weight / memory["sum"]
        x.mul_(1 - share).add_(share * z)
        p.copy_((1 - beta) * z + beta * x)

    def learned(self, parameter):
        return self.state[parameter]["x"]


class ScheduleFreeAdamw(ScheduleFree):
    def defaults_of(self):
        return {"lr": 0.0025, "betas": [0.9, 0.999], "eps": 1e-8, "weight_decay": 0,
                "weight_lr_power": 2, "step_power": 0}

    def direction(self, p, g, memory, step, o):
        v = zeros(memory, "v", p)
        beta = o["betas"][1]
        v.mul_(beta).add_(g * g, alpha=1 - beta)
        divisor = (v / (1 - beta**step)).sqrt() + o["eps"]
        return g / divisor + o["weight_decay"] * p, o["betas"][0]


ADAM = {"lr": 0.05, "betas": [0.8, 0.95], "eps": 1e-6, "weight_decay": 0.1}
CASES = [
    ("sgd", torch.optim.SGD, {"lr": 0.1}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.05}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "maximize": True}),
    ("adam", torch.optim.Adam, {}),
    ("adam", torch.optim.Adam, ADAM),
    ("adam", torch.optim.Adam, {**ADAM, "amsgrad": True, "maximize": True}),
    ("adamw", torch.optim.AdamW, {}),
    ("adamw", torch.optim.AdamW, ADAM),
    ("adamw", torch.optim.AdamW, {**ADAM, "amsgrad": True, "maximize": True}),
    ("nadam", torch.optim.NAdam, {}),
    ("nadam", torch.optim.NAdam, {**ADAM, "momentum_decay": 0.1}),
    ("radam", torch.optim.RAdam, {}),
    ("radam", torch.optim.RAdam, ADAM),
    ("adamax", torch.optim.Adamax, {}),
    ("adamax", torch.optim.Adamax, {**ADAM, "maximize": True}),
    ("adagrad", torch.optim.Adagrad, {}),
    ("adagrad", torch.optim.Adagrad,
     {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.5,
      "eps": 1e-3, "maximize": True}),
    ("adadelta", torch.optim.Adadelta, {}),
    ("adadelta", torch.optim.Adadelta,
     {"lr": 0.5, "rho": 0.8, "eps": 1e-3, "weight_decay": 0.1, "maximize": True}),
    ("rmsprop", torch.optim.RMSprop, {}),
    ("rmsprop", torch.optim.RMSprop,
     {"lr": 0.05, "alpha": 0.9, "eps": 1e-4, "weight_decay": 0.1, "momentum": 0.8}),
    ("rmsprop", torch.optim.RMSprop, {"centered": True, "alpha": 0.9}),
    ("rmsprop", torch.optim.RMSprop, {"centered": True, "momentum": 0.5, "maximize": True}),
    ("lion", Lion, {}),
    ("lion", Lion, {"lr": 0.05, "betas": [0.8, 0.95], "weight_decay": 0.1}),
    ("lamb", Lamb, {}),
    ("lamb", Lamb, {**ADAM, "adapt_vectors": False}),
    ("lars", Lars, {}),
    ("lars", Lars, {"lr": 5.0, "momentum": 0.8, "weight_decay": 0.1, "trust": 0.01, "eps": 1e-3}),
    ("lars", Lars, {"lr": 0.1, "weight_decay": 0.1, "adapt_vectors": False}),
    ("adafactor", Adafactor, {}),
    ("adafactor", Adafactor,
     {"lr": 0.05, "eps": [1e-8, 1e-2], "clip_threshold": 0.5, "decay_rate": 0.5, "beta1": 0.9,
      "weight_decay": 0.1, "scale_parameter": False, "relative_step": False}),
    ("muon", Muon, {}),
    ("muon", Muon,
     {"lr": 0.05, "momentum": 0.8, "nesterov": False, "iterations": 3, "weight_decay": 0.1,
      "vector_lr_factor": 0.5, "vector_betas": [0.8, 0.9], "vector_eps": 1e-3}),
    ("lbfgs", torch.optim.LBFGS, {"lr": 0.1, "max_iter": 1, "history_size": 4}),
    ("schedule_free_sgd", ScheduleFree, {"lr": 0.1}),
    ("schedule_free_sgd", ScheduleFree,
     {"lr": 0.1, "momentum": 0.8, "weight_decay": 0.1, "weight_lr_power": 1, "step_power": 1}),
    ("schedule_free_adamw", ScheduleFreeAdamw, {}),
    ("schedule_free_adamw", ScheduleFreeAdamw, {**ADAM, "weight_lr_power": 1, "step_power": 1}),
]


def numbers(tensor):
    return tensor.detach().flatten().tolist()


def run(make, options, start, gradients):
    parameters = {name: value.double().requires_grad_() for name, value in start.items()}
    # Of NAdam, 1.13's other path counts one momentum twice, which later versions mended.
    has_paths = not issubclass(make, (Formula, torch.optim.LBFGS))
    own = {"foreach": make is torch.optim.NAdam} if has_paths else {}
    optimizer = make(parameters.values(), **own, **options)
    for step in range(STEPS):
        for name, parameter in parameters.items():
            is_skipped = SKIPPED.get(name) == step
            parameter.grad = None if is_skipped else gradients[step][name].double()
        optimizer.step(*([lambda: torch.zeros(())] if make is torch.optim.LBFGS else []))
    learned = optimizer.learned if issubclass(make, Formula) else lambda parameter: parameter
    return {name: numbers(learned(value)) for name, value in parameters.items()}


def search(options):
    """Three steps of LBFGS down a loss that it may look at."""
    w = torch.tensor([0.5, -1.0, 2.0], dtype=torch.double, requires_grad=True)
    scales = torch.tensor([1.0, 4.0, 0.5], dtype=torch.double)
    optimizer = torch.optim.LBFGS([w], **options)
    path = []

    def closure():
        optimizer.zero_grad()
        loss = (scales * (w - 1) ** 2).sum() + 0.1 * (w**4).sum() + (w[0] * w[1]) ** 2
        loss.backward()
        return loss

    for _ in range(3):
        optimizer.step(closure)
        path.append(numbers(w))
    return path


SEARCHES = [
    ({}, {"max_iter": 4, "lr": 0.3, "history_size": 10}),
    ({"line_search": "strong_wolfe"}, {"max_iter": 4, "line_search_fn": "strong_wolfe",
                                       "history_size": 10}),
    ({"line_search": "strong_wolfe"}, {"max_iter": 3, "lr": 8.0, "line_search_fn": "strong_wolfe",
                                       "history_size": 2}),
    ({}, {"max_iter": 9, "lr": 0.3, "history_size": 10, "max_eval": 4}),
    ({}, {"max_iter": 9, "lr": 0.3, "history_size": 10, "tolerance_grad": 0.6}),
    ({}, {"max_iter": 9, "lr": 0.3, "history_size": 10, "tolerance_change": 0.05}),
]


def searched(own, options):
    known = {key: value for key, value in options.items() if key != "line_search_fn"}
    return {"options": {**known, **own}, "path": search(options)}


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
        "searches": [searched(own, options) for own, options in SEARCHES],
    }
    path = pathlib.Path(__file__).with_name("optim.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
