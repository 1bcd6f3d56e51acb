#!/usr/bin/python3
"""Writes whole_ops.json: what torchvision's ops make of small images beside those of pixels.json and geometry.json:
normalize, to_float, pads, crops with padding, resized crops, erased rectangles, AugMix's mixtures, AutoAugment's tables.

Run from the root of the project with Python's torchvision installed: tests/parity/make_whole_ops.py
"""
import json
import pathlib

import torch
import torchvision
from torchvision.transforms import InterpolationMode, autoaugment
from torchvision.transforms import functional

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
BILINEAR = InterpolationMode.BILINEAR


def numbers(tensor):
    """Rows of pixels, channels last, as Hearth has them."""
    return tensor.permute(1, 2, 0).flatten().tolist()


def stored(tensor):
    channels, height, width = tensor.shape
    return {"height": height, "width": width, "channels": channels, "pixels": numbers(tensor)}


def padded(image, padding, fill):
    """`padding` as torchvision has it: left, top, right, bottom."""
    return {"padding": padding, "fill": fill, **stored(functional.pad(image, padding, fill))}


def resized_crop(image, region, size, interpolation, antialias):
    made = functional.resized_crop(image, *region, size, interpolation, antialias=antialias)
    return {"region": region, "antialias": antialias, **stored(made)}


def erased(image, region, values):
    made = functional.erase(image, *region, torch.tensor(values, dtype=image.dtype)[:, None, None])
    return {"region": region, "values": values, "pixels": numbers(made)}


def mixture(images, shares):
    """As AugMix sums its chains up."""
    weights = torch.tensor(shares, dtype=torch.float32)
    mixed = weights[0] * images[0]
    for weight, image in zip(weights[1:], images[1:]):
        mixed.add_(weight * image)
    return {"shares": shares, "images": [numbers(image) for image in images], "pixels": numbers(mixed.to(torch.uint8))}


def policy(name):
    learned = autoaugment.AutoAugment(autoaugment.AutoAugmentPolicy(name)).policies
    return [[[change, chance, bin or 0] for change, chance, bin in pair] for pair in learned]


def main():
    torch.manual_seed(11)
    image = torch.randint(256, (3, 9, 12), dtype=torch.uint8)
    every_byte = torch.arange(256, dtype=torch.uint8).repeat_interleave(3).reshape(16, 16, 3).permute(2, 0, 1)
    floats = functional.convert_image_dtype(every_byte, torch.float32)
    chains = [torch.randint(256, (3, 9, 12), dtype=torch.uint8) for _ in range(3)]
    content = {
        "torchvision": torchvision.__version__,
        "image": stored(image),
        "every_byte": stored(every_byte),
        "to_float": numbers(floats),
        "normalize": {"mean": MEAN, "std": STD, "values": numbers(functional.normalize(floats, MEAN, STD))},
        "around": [padded(image, [amount] * 4, fill) for amount, fill in ((1, 0), (4, 9), (13, 255))],
        "at_end": [padded(image, [0, 0, right, below], fill) for right, below, fill in ((0, 3, 0), (5, 0, 7), (2, 6, 200))],
        "resized_crop": [resized_crop(image, region, [6, 5], BILINEAR, antialias)
                         for region in ([0, 0, 9, 12], [2, 3, 6, 8], [8, 11, 1, 1], [1, 0, 3, 12])
                         for antialias in (False, True)],
        "erase": [erased(image, [1, 2, 4, 7], [10, 20, 30]), erased(image, [0, 0, 8, 11], [0, 0, 0]),
                  erased(image, [8, 11, 1, 1], [255, 255, 255])],
        "mixture": [mixture([image, *chains], shares)
                    for shares in ([0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.15, 0.05], [0.0, 1.0, 0.0, 0.0])],
        "policies": {name: policy(name) for name in ("imagenet", "cifar10", "svhn")},
    }
    path = pathlib.Path(__file__).with_name("whole_ops.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
