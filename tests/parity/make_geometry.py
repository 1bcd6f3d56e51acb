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
SIZES = [(4, 3), (11, 17), (9, 5), (1, 1), (6, 20)]


def image(height, width, channels, seed):
    torch.manual_seed(seed)
    smooth = torch.rand(channels, 3, 4) * 255
    large = torch.nn.functional.interpolate(smooth[None], (height, width), mode="bicubic")[0]
    noise = torch.rand(channels, height, width) * 80 - 40
    return (large + noise).clamp(0, 255).round().to(torch.uint8)


def flat(tensor):
    return tensor.permute(1, 2, 0).flatten().tolist()


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


def main():
    numbers = {"torchvision": torchvision.__version__, "pillow": PIL.__version__,
               "images": [stored(each) for each in IMAGES],
               "resize": list(resize_cases())}
    path = pathlib.Path(__file__).with_name("geometry.json")
    path.write_text(json.dumps(numbers, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
