"""Writes scenes/: made-up pictures of one thing each, the same ones every time, in the three forms that pictures come in:
a folder for each class (pictures.yaml), masks beside them (segmentation.yaml) and boxes in COCO's JSON (boxes.yaml)."""
import json
import math
import pathlib
import random
import struct
import zlib

THINGS = {"ball": lambda u, v: u * u + v * v <= 1,
          "brick": lambda u, v: max(abs(u), abs(v)) <= 0.9,
          "tent": lambda u, v: -0.9 <= v <= 0.9 and abs(u) <= (v + 0.9) / 1.8}
TINTS = {"ball": (60, 0, -40), "brick": (-30, 50, -30), "tent": (-40, -10, 60)}  # on the whole; many differ
FOLDER = pathlib.Path(__file__).resolve().parent / "scenes"


def png(rows, channels):
    """Rows of values from 0 to 255; each row holds differences to the one above it, which pack well."""
    packed, above = b"", bytes(len(rows[0]))
    for row in map(bytes, rows):
        packed += b"\2" + bytes((a - b) % 256 for a, b in zip(row, above))
        above = row
    size = struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), 8, 2 if channels == 3 else 0, 0, 0, 0)
    parts = ((b"IHDR", size), (b"IDAT", zlib.compress(packed, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)


def scene(draw, name):
    """A picture and where the thing is in it."""
    is_in = THINGS[name]
    width, height = draw.randint(36, 52), draw.randint(32, 44)
    radius, turn = draw.uniform(8, 12), draw.uniform(-0.2, 0.2)
    x0, y0 = draw.uniform(radius, width - radius), draw.uniform(radius, height - radius)
    light = draw.random() < 0.5  # the thing on what is darker, or the other way round
    thing = [draw.randint(*((150, 250) if light else (10, 90))) + tint for tint in TINTS[name]]
    thing = [max(0, min(255, value)) for value in thing]
    left, right = ([draw.randint(*((20, 100) if light else (140, 230))) for _ in range(3)] for _ in range(2))
    picture, mask = [], []
    for y in range(height):
        picture.append([])
        mask.append([])
        for x in range(width):
            u, v = (x + 0.5 - x0) / radius, (y + 0.5 - y0) / radius
            inside = is_in(u * math.cos(turn) + v * math.sin(turn), v * math.cos(turn) - u * math.sin(turn))
            mask[y].append(inside)
            picture[y] += thing if inside else [round(a + (b - a) * x / width) for a, b in zip(left, right)]
    return picture, mask


def box_of(mask):
    """COCO's: left, top, width, height."""
    rows = [y for y, row in enumerate(mask) if any(row)]
    columns = [x for x in range(len(mask[0])) if any(row[x] for row in mask)]
    return [columns[0], rows[0], columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1]


def write(part, count, draw):
    boxes = {"images": [], "annotations": [],
             "categories": [{"id": number, "name": name} for number, name in enumerate(THINGS, 1)]}
    for number, name in enumerate(THINGS, 1):
        for kind in ("pictures", "masks"):
            (FOLDER / part / kind / name).mkdir(parents=True, exist_ok=True)
        for index in range(count):
            picture, mask = scene(draw, name)
            file, identity = f"{name}/{index:02d}.png", len(boxes["images"]) + 1
            (FOLDER / part / "pictures" / file).write_bytes(png(picture, 3))
            (FOLDER / part / "masks" / file).write_bytes(png([[number * inside for inside in row] for row in mask], 1))
            boxes["images"].append({"id": identity, "file_name": file, "width": len(mask[0]), "height": len(mask)})
            boxes["annotations"].append({"id": identity, "image_id": identity, "category_id": number, "iscrowd": 0,
                                         "bbox": box_of(mask), "area": sum(map(sum, mask))})
    (FOLDER / part / "boxes.json").write_text(json.dumps(boxes) + "\n", encoding="utf-8")


draw = random.Random(3)
write("train", 40, draw)
write("eval", 12, draw)
