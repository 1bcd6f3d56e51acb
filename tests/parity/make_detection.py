#!/usr/bin/python3
"""Writes detection.json: non-maximum suppression, box coding, losses and found boxes of torchvision's FCOS, and what the
whole of it is made of and computes, the truth for Hearth's.

Weights of the whole model are not kept: both sides fill them by the formula of `drawn`, and compute in double.
Run from the root of the project with Python's torchvision installed: tests/parity/make_detection.py
"""
import hashlib
import json
import math
import pathlib

import torch
import torchvision
from torch import nn
from torchvision.models.detection import FCOS, fcos_resnet50_fpn
from torchvision.models.detection.backbone_utils import _resnet_fpn_extractor
from torchvision.models.detection.image_list import ImageList
from torchvision.ops import batched_nms, nms
from torchvision.ops.feature_pyramid_network import LastLevelP6P7

CLASSES = 3
IMAGE = (40, 48)
GRIDS = [(5, 6), (3, 3), (2, 2)]  # of maps whose points stand for 8, 16 and 32 points of the image


def numbers(tensor):
    return {"shape": list(tensor.shape), "values": tensor.detach().double().flatten().tolist()}


def quarters(*shape, most):
    """Numbers that are exact in single precision."""
    return torch.randint(4 * most, shape).double() / 4


def random_boxes(count, most=32):
    start = quarters(count, 2, most=most)
    return torch.cat([start, start + 1 + quarters(count, 2, most=most // 2)], 1)


def suppression(count, threshold):
    boxes = random_boxes(count, 12)
    scores = (torch.randperm(count) + 1).double() / (count + 1)
    classes = torch.randint(CLASSES, (count,))
    return {"boxes": numbers(boxes), "scores": scores.tolist(), "classes": classes.tolist(), "threshold": threshold,
            "kept": nms(boxes, scores, threshold).tolist(), "kept_of_class": batched_nms(boxes, scores, classes,
                                                                                         threshold).tolist()}


class Nothing(nn.Module):
    out_channels = 32


def detector():
    sizes = tuple((8 << level,) for level in range(len(GRIDS)))
    anchors = torchvision.models.detection.anchor_utils.AnchorGenerator(sizes, ((1.0,),) * len(sizes))
    return FCOS(Nothing(), CLASSES, anchor_generator=anchors).double()


def anchors_of(model, samples):
    maps = [torch.zeros(samples, 1, *grid, dtype=torch.double) for grid in GRIDS]
    return model.anchor_generator(ImageList(torch.zeros(samples, 3, *IMAGE, dtype=torch.double), [IMAGE] * samples), maps)


def points_of(anchors):
    """x, y and size of each."""
    return torch.cat([(anchors[:, :2] + anchors[:, 2:]) / 2, anchors[:, 2:3] - anchors[:, :1]], 1)


def head_outputs(samples):
    points = sum(height * width for height, width in GRIDS)
    return {"cls_logits": torch.randn(samples, points, CLASSES, dtype=torch.double, requires_grad=True),
            "bbox_regression": (torch.rand(samples, points, 4, dtype=torch.double) * 3).requires_grad_(),
            "bbox_ctrness": torch.randn(samples, points, 1, dtype=torch.double, requires_grad=True)}


def losses():
    """Of three samples: several boxes, one that fills the image, none."""
    model = detector()
    anchors = anchors_of(model, 3)
    outputs = head_outputs(3)
    targets = [{"boxes": torch.tensor([[2.0, 3, 17, 21], [10, 6, 30, 33], [11, 7, 18, 14], [33, 20, 47, 39]]).double(),
                "labels": torch.tensor([0, 2, 1, 2])},
               {"boxes": torch.tensor([[0.5, 1, 47, 39.5]]).double(), "labels": torch.tensor([1])},
               {"boxes": torch.zeros(0, 4).double(), "labels": torch.zeros(0, dtype=torch.int64)}]
    found = model.compute_loss(targets, outputs, anchors, [height * width for height, width in GRIDS])
    gradients = {}
    for name, loss in found.items():
        for output, gradient in zip(outputs, torch.autograd.grad(loss, list(outputs.values()), retain_graph=True,
                                                                 allow_unused=True)):
            if gradient is not None and gradient.abs().sum() > 0:
                gradients[name] = {"of": output, **numbers(gradient)}
    coder = model.box_coder
    reference = anchors[0]
    boxes = coder.decode(outputs["bbox_regression"][0].detach(), reference)
    return {"image": list(IMAGE), "grids": [list(grid) for grid in GRIDS], "points": numbers(points_of(reference)),
            "outputs": {name: numbers(value) for name, value in outputs.items()},
            "targets": [{"boxes": target["boxes"].tolist(), "labels": target["labels"].tolist()} for target in targets],
            "losses": {name: loss.item() for name, loss in found.items()}, "gradients": gradients,
            "decoded": numbers(boxes), "encoded": numbers(coder.encode(reference, boxes))}


def detections():
    model = detector()
    outputs = head_outputs(2)
    levels = [height * width for height, width in GRIDS]
    anchors = [list(each.split(levels)) for each in anchors_of(model, 2)]
    split = {name: list(value.detach().split(levels, 1)) for name, value in outputs.items()}
    found = model.postprocess_detections(split, anchors, [IMAGE] * 2)
    return {"outputs": {name: numbers(value) for name, value in outputs.items()},
            "found": [{"boxes": each["boxes"].tolist(), "scores": each["scores"].tolist(), "labels": each["labels"].tolist()}
                      for each in found]}


def drawn(name, shape):
    """Numbers in [0, 1) that look random, from the name and the place alone."""
    key = sum((place + 1) * letter for place, letter in enumerate(name.encode())) % 997
    wave = torch.sin(torch.arange(math.prod(shape), dtype=torch.float64) * 12.9898 + key) * 43758.5453
    return (wave - wave.floor()).reshape(shape)


def filled(name, tensor):
    values = drawn(name, tuple(tensor.shape))
    if tensor.dim() > 1:
        return (values - 0.5) * math.sqrt(24 / math.prod(tensor.shape[1:]))
    return values + 0.5 if name.endswith(("weight", "running_var")) else (values - 0.5) * 0.2


def whole():
    """The head's outputs of a detector on resnet18, and norms of some gradients."""
    body = _resnet_fpn_extractor(torchvision.models.resnet18(), 5, [2, 3, 4], LastLevelP6P7(256, 256))
    model = FCOS(body, CLASSES).double().eval()
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if tensor.is_floating_point():
                tensor.copy_(filled(name, tensor))
    image = drawn("input", (1, 3, 32, 32)) * 2 - 1
    features = list(model.backbone(image).values())
    outputs = model.head(features)
    sum(value.square().mean() for value in outputs.values()).backward()
    some = [name for place, (name, value) in enumerate(model.named_parameters()) if place % 9 == 0 and value.grad is not None]
    parameters = dict(model.named_parameters())
    return {"outputs": {name: numbers(value) for name, value in outputs.items()},
            "gradient_norms": {name: parameters[name].grad.norm().item() for name in some}}


def contents(model):
    """A digest of names and shapes, and how many there are."""
    lines = sorted(f"{name} {list(tensor.shape)}" for name, tensor in model.named_parameters())
    return {"parameters": len(lines), "digest": hashlib.sha256("\n".join(lines).encode()).hexdigest()}


def main():
    torch.manual_seed(13)
    content = {"torchvision": torchvision.__version__,
               "suppression": [suppression(*case) for case in ((1, 0.5), (12, 0.3), (30, 0.5), (40, 0.7))],
               "losses": losses(), "detections": detections(), "whole": whole(),
               "fcos_resnet50_fpn": contents(fcos_resnet50_fpn(weights=None, weights_backbone=None, num_classes=CLASSES))}
    path = pathlib.Path(__file__).with_name("detection.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
