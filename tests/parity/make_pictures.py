#!/usr/bin/env python3
"""Writes pictures.json: tiny picture files with the pixels that Pillow reads from them, and the same files to tests/corpus.

Run from the root of the project with Python's Pillow installed: tests/parity/make_pictures.py
"""
import base64
import io
import json
import pathlib
import random

import PIL
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIZE = (21, 13)


def scene(mode):
    """Colours that flow into each other, an edge and a little noise: what makes a codec work."""
    noise = random.Random(7)
    image = Image.new("RGBA", SIZE)
    for y in range(SIZE[1]):
        for x in range(SIZE[0]):
            edge = 90 if x > y + 3 else 0
            colour = (12 * x, 19 * y, 5 * (x + y) + edge)
            image.putpixel((x, y), tuple(min(255, c + noise.randrange(12)) for c in colour) + ((40 + 10 * x) % 256,))
    return image.convert(mode)


def packed(image, form, **options):
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def files():
    rgb, gray, rgba = scene("RGB"), scene("L"), scene("RGBA")
    yield "baseline_420.jpeg", packed(rgb, "JPEG", quality=85)
    yield "baseline_422.jpeg", packed(rgb, "JPEG", quality=60, subsampling=1)
    yield "baseline_444.jpeg", packed(rgb, "JPEG", quality=95, subsampling=0)
    yield "progressive.jpeg", packed(rgb, "JPEG", quality=75, progressive=True)
    yield "optimized.jpeg", packed(rgb, "JPEG", quality=30, optimize=True)
    yield "gray.jpeg", packed(gray, "JPEG", quality=80)
    yield "cmyk.jpeg", packed(rgb.convert("CMYK"), "JPEG", quality=80)
    yield "rgb.png", packed(rgb, "PNG")
    yield "gray.png", packed(gray, "PNG")
    yield "rgba.png", packed(rgba, "PNG")
    yield "palette.png", packed(rgb.quantize(7), "PNG")
    yield "lossy.webp", packed(rgb, "WEBP", quality=70)
    yield "lossless.webp", packed(rgb, "WEBP", lossless=True)
    yield "alpha.webp", packed(rgba, "WEBP", quality=70)
    yield "rgb.bmp", packed(rgb, "BMP")
    yield "gray.bmp", packed(gray, "BMP")
    yield "palette.bmp", packed(rgb.quantize(7), "BMP")
    yield "bits.bmp", packed(gray.convert("1"), "BMP")


def text(data):
    return base64.b64encode(data).decode()


def main():
    cases = []
    for name, data in files():
        image = Image.open(io.BytesIO(data))
        case = {"name": name, "file": text(data), "height": SIZE[1], "width": SIZE[0],
                "rgb": text(image.convert("RGB").tobytes())}
        if image.mode == "RGBA":
            case["rgba"] = text(image.tobytes())
        cases.append(case)
        folder = ROOT / "tests/corpus" / name.split(".")[1]
        folder.mkdir(exist_ok=True)
        if folder.name != "png":
            (folder / name).write_bytes(data)
    path = pathlib.Path(__file__).with_name("pictures.json")
    path.write_text(json.dumps({"pillow": PIL.__version__, "cases": cases}, separators=(",", ":")) + "\n")


main()
