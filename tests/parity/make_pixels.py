#!/usr/bin/python3
"""Writes pixels.json: what torchvision makes of small images of bytes, the truth for hearth/data/image.

Run from the root of the project with Python's torchvision installed: tests/parity/make_pixels.py
"""
import json
import pathlib

import torch
import torchvision
from torchvision.transforms import InterpolationMode, autoaugment
from torchvision.transforms import functional

NEAREST = InterpolationMode.NEAREST
# height, width, channels, and how the values are spread: some ops do nothing to noise
SHAPES = [(7, 9, 3, "noise"), (18, 20, 3, "smooth"), (6, 11, 1, "noise"), (2, 2, 3, "noise"), (1, 1, 1, "noise"),
          (3, 6, 3, "gray"), (4, 3, 3, "flat")]
CHANGED_SHAPES = [(9, 12, 3, "noise"), (11, 8, 1, "noise")]
BIN_COUNTS = [10, 31, 9]


def image_of(height, width, channels, kind):
    if kind == "flat":
        return torch.full((channels, height, width), 77, dtype=torch.uint8)
    if kind == "gray":
        return torch.randint(256, (1, height, width), dtype=torch.uint8).expand(channels, -1, -1).clone()
    if kind == "noise":
        return torch.randint(256, (channels, height, width), dtype=torch.uint8)
    ramp = torch.linspace(30, 190, height)[:, None] + torch.linspace(0, 40, width)[None, :]
    return (ramp + 9 * torch.randn(channels, height, width)).clamp(0, 255).to(torch.uint8)


def values(image):
    """Rows of pixels, channels last, as Hearth has them."""
    return bytes(image.permute(1, 2, 0).contiguous().flatten().tolist()).hex()


def functions(image):
    """(name, numbers, result) of each deterministic function."""
    for factor in (0.0, 0.3, 0.77, 1.0, 1.3, 2.5):
        yield "adjust_brightness", [factor], functional.adjust_brightness(image, factor)
        yield "adjust_contrast", [factor], functional.adjust_contrast(image, factor)
        yield "adjust_saturation", [factor], functional.adjust_saturation(image, factor)
        yield "adjust_sharpness", [factor], functional.adjust_sharpness(image, factor)
    for turn in (-0.5, -0.31, -0.01, 0.0, 0.1, 0.25, 0.5):
        yield "adjust_hue", [turn], functional.adjust_hue(image, turn)
    yield "grayscale", [], functional.rgb_to_grayscale(image, image.shape[0])
    yield "invert", [], functional.invert(image)
    for bits in (0, 1, 4, 7, 8):
        yield "posterize", [bits], functional.posterize(image, bits)
    for threshold in (0.0, 99.5, 128.0, 255.0):
        yield "solarize", [threshold], functional.solarize(image, threshold)
    yield "autocontrast", [], functional.autocontrast(image)
    yield "equalize", [], functional.equalize(image)
    for kernel, sigma in (([3, 3], 0.8), ([5, 3], 1.5), ([1, 7], 2.0)):  # across and down
        if kernel[0] // 2 < image.shape[2] and kernel[1] // 2 < image.shape[1]:
            yield "gaussian_blur", [*kernel, sigma], functional.gaussian_blur(image, kernel, [sigma, sigma])


def spaces(height, width):
    """(policy, changes) for those with magnitudes of their own."""
    size = (height, width)
    for bins in BIN_COUNTS:
        yield "rand_augment", bins, autoaugment.RandAugment()._augmentation_space(bins, size)
        yield "trivial_augment", bins, autoaugment.TrivialAugmentWide()._augmentation_space(bins)
    yield "auto_augment", 10, autoaugment.AutoAugment()._augmentation_space(10, size)
    yield "aug_mix", 10, autoaugment.AugMix()._augmentation_space(10, size)


def magnitudes(height, width):
    return [{"policy": policy, "bins": bins, "change": change,
             "values": [float(value) for value in numbers.flatten()] if numbers.ndim else [0.0], "signed": signed}
            for policy, bins, space in spaces(height, width) for change, (numbers, signed) in space.items()]


def changes(image, fill):
    """(change, magnitude, result) for all of RandAugment and AutoAugment, and the strongest of TrivialAugment."""
    size = image.shape[1:]
    rand = autoaugment.RandAugment()._augmentation_space(31, size)
    trivial = autoaugment.TrivialAugmentWide()._augmentation_space(31)
    invert = {"Invert": (torch.tensor(0.0), False)}
    for space, bins in ((rand, (1, 9, 20, 30)), (trivial, (13, 30)), (invert, (0,))):
        for change, (numbers, signed) in space.items():
            for chosen in bins if numbers.ndim else (0,):
                for sign in (1.0, -1.0) if signed else (1.0,):
                    magnitude = sign * (float(numbers[chosen]) if numbers.ndim else 0.0)
                    yield change, magnitude, autoaugment._apply_op(image, change, magnitude, NEAREST, fill)


def pixels_of(image):
    channels, height, width = image.shape
    return {"height": height, "width": width, "channels": channels, "pixels": values(image)}


def function_case(shape):
    image = image_of(*shape)
    return {**pixels_of(image), "results": [{"function": name, "numbers": numbers, "pixels": values(result)}
                                            for name, numbers, result in functions(image)]}


def change_case(shape):
    image = image_of(*shape)
    fill = [10.0, 20.0, 30.0] if shape[2] == 3 else None
    return {**pixels_of(image), "fill": [int(value) for value in fill or [0] * shape[2]],
            "results": [{"change": change, "magnitude": magnitude, "pixels": values(result)}
                        for change, magnitude, result in changes(image, fill)]}


def main():
    torch.manual_seed(5)
    content = {
        "torchvision": torchvision.__version__,
        "functions": [function_case(shape) for shape in SHAPES],
        "changes": [change_case(shape) for shape in CHANGED_SHAPES],
        "magnitudes": {"height": 224, "width": 200, "results": magnitudes(224, 200)},
    }
    path = pathlib.Path(__file__).with_name("pixels.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
