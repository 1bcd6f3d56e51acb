#!/usr/bin/env python3
"""Writes the small annotated pictures beside this file, which the tests of sources read.

Run with Python's Pillow installed: tests/pictures/make.py
"""
import json
import pathlib

from PIL import Image, ImageDraw

HERE = pathlib.Path(__file__).resolve().parent
COLOURS = {"red": (220, 40, 30), "green": (40, 190, 60), "blue": (50, 60, 210)}
# name of the file, width and height, and boxes of a class: left, top, right, bottom
SCENES = [
    ("a.jpg", (32, 24), [("red", (4, 3, 16, 13)), ("blue", (18, 10, 30, 22))]),
    ("b.png", (24, 24), [("green", (2, 2, 20, 12))]),
    ("more/c.webp", (40, 16), [("blue", (0, 0, 10, 16)), ("red", (20, 4, 36, 12)), ("green", (11, 1, 15, 5))]),
    ("more/d.bmp", (16, 20), []),
]
NAMES = list(COLOURS)


def write(name, data):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def save(image, name):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


def pictures():
    for name, size, boxes in SCENES:
        image, mask = Image.new("RGB", size, (230, 230, 230)), Image.new("P", size, 0)
        mask.putpalette([0, 0, 0, 220, 40, 30, 40, 190, 60, 50, 60, 210])
        for colour, (left, top, right, bottom) in boxes:
            ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), COLOURS[colour])
            ImageDraw.Draw(mask).rectangle((left, top, right - 1, bottom - 1), NAMES.index(colour) + 1)
        save(image, "images/" + name)
        save(mask, "masks/" + str(pathlib.Path(name).with_suffix(".png")))


def table():
    rows = ["path,first,boxes,width"]
    for name, (width, _), boxes in SCENES:
        rows.append(f"images/{name},{boxes[0][0] if boxes else 'none'},{len(boxes)},{width}")
    write("list.csv", "\n".join(rows) + "\n")


def coco():
    annotations = []
    for image, (_, _, boxes) in enumerate(SCENES):
        for colour, (left, top, right, bottom) in boxes:
            corners = [left, top, right, top, right, bottom, left, bottom]
            annotations.append({"id": len(annotations) + 1, "image_id": 10 + image, "iscrowd": 0,
                                "category_id": 5 + NAMES.index(colour), "segmentation": [corners],
                                "bbox": [left, top, right - left, bottom - top],
                                "area": (right - left) * (bottom - top), "num_keypoints": 1,
                                "keypoints": [left, top, 2, 0, 0, 0]})
    content = {"info": {"year": 2026},
               "images": [{"id": 10 + i, "file_name": name, "width": size[0], "height": size[1]}
                          for i, (name, size, _) in enumerate(SCENES)],
               "annotations": annotations,
               "categories": [{"id": 5 + i, "name": name, "keypoints": ["corner", "other"]}
                              for i, name in enumerate(NAMES)]}
    write("coco.json", json.dumps(content, indent=1) + "\n")


def voc():
    for name, (width, height), boxes in SCENES:
        objects = "".join(
            f"  <object>\n    <name>{colour}</name>\n    <difficult>{int(colour == 'green')}</difficult>\n"
            f"    <bndbox><xmin>{left + 1}</xmin><ymin>{top + 1}</ymin><xmax>{right}</xmax><ymax>{bottom}</ymax></bndbox>\n"
            "  </object>\n" for colour, (left, top, right, bottom) in boxes)
        write(f"voc/{pathlib.Path(name).stem}.xml",
              f"<annotation>\n  <filename>{name}</filename>\n  <size><width>{width}</width><height>{height}</height>"
              f"<depth>3</depth></size>\n{objects}</annotation>\n")


def cifar():
    def record(labels, value):
        return bytes(labels) + b"".join(bytes([value + plane]) * 1023 + b"\0" for plane in range(3))

    for i in range(1, 6):
        write(f"cifar10/data_batch_{i}.bin", record([i], 10 * i))
    write("cifar10/test_batch.bin", record([9], 90) + record([0], 100))
    write("cifar100/train.bin", record([3, 77], 1) + record([19, 99], 5))
    write("cifar100/test.bin", record([0, 0], 200))


for make in (pictures, table, coco, voc, cifar):
    make()
