"""What PyTorch's layers give, as the scripts that write truth for Hearth's layers store it."""
import json
import pathlib

import torch
from torch import nn


def numbers(tensor):
    """Twelve digits: more than any comparison looks at."""
    values = tensor.detach().flatten().tolist()
    return {"shape": list(tensor.shape), "values": [float(f"{value:.12g}") for value in values]}


def all_numbers(named):
    return {name: numbers(tensor) for name, tensor in named if tensor is not None}


class Expression(nn.Module):
    """A module of one expression."""

    def __init__(self, of):
        super().__init__()
        self.of = of

    def forward(self, value):
        return self.of(value)


def shake(module):
    """Norms start as ones and zeros, which would hide a mistake."""
    for tensor in module.state_dict().values():
        if tensor.is_floating_point() and tensor.dim() == 1:
            tensor.copy_(torch.rand_like(tensor) + 0.5)
    return module


def case(layer, options, module, value, is_training=True, seed=1):
    """One call and its backward pass, in the type of the value: that of the whole module. Random layers draw from the
    seed."""
    module.train(is_training)
    before = all_numbers(module.named_buffers())
    parameters = dict(module.named_parameters())
    value = value.requires_grad_(value.is_floating_point())
    state = torch.get_rng_state()
    torch.manual_seed(seed)
    output = module(value)
    torch.set_rng_state(state)
    output.square().sum().backward()
    return {
        "layer": layer,
        "options": options,
        "is_training": is_training,
        "seed": seed,
        "dtype": str(output.dtype).removeprefix("torch."),
        "input": numbers(value),
        "classes": 0 if value.is_floating_point() else 5,
        "parameters": all_numbers(parameters.items()),
        "buffers": before,
        "buffers_after": all_numbers(module.named_buffers()),
        "output": numbers(output),
        "gradients": all_numbers((name, tensor.grad) for name, tensor in parameters.items()),
        "input_gradient": numbers(value.grad) if value.is_floating_point() else None,
    }


def write(name, cases):
    content = {"torch": torch.__version__, "cases": list(cases)}
    path = pathlib.Path(__file__).with_name(name)
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
