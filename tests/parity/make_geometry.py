#!/usr/bin/python3
"""Writes geometry.json: tiny images through Pillow and torchvision, the truth for
hearth/format/image_resample.h and the geometric ops of hearth/data/ops.

Run from the root of the project with Python's torchvision installed: tests/parity/make_geometry.py
"""
import json
import pathlib

import PIL
import torch
import torchvision
from PIL import Image
from torchvision.transforms import functional as F
from torchvision.transforms import InterpolationMode

MODES = {"nearest": InterpolationMode.NEAREST, "bilinear": InterpolationMode.BILINEAR,
         "bicubic": InterpolationMode.BICUBIC}
PILLOW = {"nearest": Image.NEAREST, "bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC}
SIZES = [(4, 3), (11, 17), (9, 5), (1, 1)]


def image(height, width, channels, seed):
    torch.manual_seed(seed)
    smooth = torch.rand(channels, 3, 4) * 255
    large = torch.nn.functional.interpolate(smooth[None], (height, width), mode="bicubic")[0]
    noise = torch.rand(channels, height, width) * 80 - 40
    return (large + noise).clamp(0, 255).round().to(torch.uint8)


def flat(tensor):
    return tensor.permute(1, 2, 0).flatten().tolist()


def rounded(tensor):
    return [round(number, 3) for number in tensor.flatten().tolist()]


def stored(tensor):
    return {"height": tensor.shape[1], "width": tensor.shape[2], "channels": tensor.shape[0],
            "pixels": flat(tensor)}


IMAGES = [image(9, 13, 3, 1), image(7, 6, 1, 2)]


def resize_cases():
    for index, source in enumerate(IMAGES):
        for size in SIZES:
            for mode in MODES:
                picture = F.to_pil_image(source).resize(size[::-1], PILLOW[mode])
                yield {"image": index, "size": size, "mode": mode, "antialias": True,
                       "pixels": flat(F.pil_to_tensor(picture)), "by": "Pillow"}
                if mode != "nearest":
                    for antialias in (False, True):
                        made = F.resize(source, size, MODES[mode], antialias=antialias)
                        yield {"image": index, "size": size, "mode": mode, "antialias": antialias,
                               "pixels": flat(made), "by": "torchvision"}


def moved(index, mode, parameters, made):
    return {"image": index, "mode": mode, **parameters, "pixels": flat(made)}


def window_cases():
    for index, source in enumerate(IMAGES):
        for size in [(4, 4), (3, 6), (6, 3)]:
            yield {"image": index, "op": "center_crop", "size": size,
                   "pixels": flat(F.center_crop(source, size))}
            for number, crop in enumerate(F.five_crop(source, size)):
                yield {"image": index, "op": "five_crop", "number": number, "size": size,
                       "pixels": flat(crop)}
        yield {"image": index, "op": "hflip", "pixels": flat(F.hflip(source))}
        yield {"image": index, "op": "vflip", "pixels": flat(F.vflip(source))}


def fill_of(mode, fill):
    """At the sides, torchvision weighs an image twice when it blends it with a fill; not with
    none, which stands for 0."""
    return [float(fill)] if mode == "nearest" else None


def rotate_cases():
    for index, source in enumerate(IMAGES):
        # Turned by 90 degrees, points would all lie in the middle between two.
        corner = 90 if (source.shape[1] - source.shape[2]) % 2 == 0 else 87
        for mode in ("nearest", "bilinear"):
            for degrees, fill in [(0, 0), (10, 0), (-33.5, 0), (corner, 7), (161, 200)]:
                fill = fill if mode == "nearest" else 0
                made = F.rotate(source, degrees, MODES[mode], fill=fill_of(mode, fill))
                yield moved(index, mode, {"degrees": degrees, "fill": fill}, made)
        # The whole turned image; the points of `nearest` lie on borders there.
        for degrees in (17, 90, -140):
            made = F.rotate(source, degrees, MODES["bilinear"], expand=True)
            yield moved(index, "bilinear", {"degrees": degrees, "fill": 0, "expand": True}, made)


AFFINE = [{"angle": 0, "translate": [2, -1], "scale": 1, "shear": [0, 0]},
          {"angle": 25, "translate": [0, 0], "scale": 1.3, "shear": [0, 0]},
          {"angle": -12, "translate": [1, 2], "scale": 0.8, "shear": [10, 0]},
          {"angle": 100, "translate": [-3, 0], "scale": 1.1, "shear": [-7, 14]}]


def affine_cases():
    for index, source in enumerate(IMAGES):
        for mode in ("nearest", "bilinear"):
            for motion in AFFINE:
                made = F.affine(source, interpolation=MODES[mode], fill=fill_of(mode, 0), **motion)
                yield moved(index, mode, motion, made)


def perspective_cases():
    for index, source in enumerate(IMAGES):
        height, width = source.shape[1:]
        corners = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
        for mode in ("nearest", "bilinear"):
            for shift in ([(1, 0), (-1, 2), (0, -1), (2, 0)], [(0, 2), (-2, 0), (-1, -2), (0, 0)]):
                ends = [[x + dx, y + dy] for (x, y), (dx, dy) in zip(corners, shift)]
                made = F.perspective(source, corners, ends, MODES[mode], fill=fill_of(mode, 0))
                yield moved(index, mode, {"start": corners, "end": ends}, made)


def elastic_cases():
    for index, source in enumerate(IMAGES):
        height, width = source.shape[1:]
        torch.manual_seed(index)
        hundredths = (torch.rand(1, height, width, 2) * 400 - 200).floor()
        points = hundredths / 100 + 0.005  # never in the middle between two points
        displacement = points * 2 / torch.tensor([width, height])
        for mode in ("nearest", "bilinear"):
            fill = 9 if mode == "nearest" else 0
            made = F.elastic_transform(source, displacement, MODES[mode], fill=fill_of(mode, fill))
            yield moved(index, mode, {"across": rounded(points[0, ..., 0]),
                                      "down": rounded(points[0, ..., 1]), "fill": fill},
                        made)


def main():
    numbers = {"torchvision": torchvision.__version__, "pillow": PIL.__version__,
               "images": [stored(each) for each in IMAGES],
               "resize": list(resize_cases()), "window": list(window_cases()),
               "rotate": list(rotate_cases()), "affine": list(affine_cases()),
               "perspective": list(perspective_cases()), "elastic": list(elastic_cases())}
    path = pathlib.Path(__file__).with_name("geometry.json")
    path.write_text(json.dumps(numbers, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
