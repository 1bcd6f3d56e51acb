"""Data files with something wrong in each, for configs that name them."""
import gzip
import struct
import zlib


def idx(type_code, shape, data):
    return struct.pack(f">BBBB{len(shape)}I", 0, 0, type_code, len(shape), *shape) + data


def png(side):
    """Black, of one channel."""
    parts = ((b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(bytes((side + 1) * side))),
             (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)


def wav(rate):
    head = struct.pack("<HHIIHH", 1, 1, rate, 2 * rate, 2, 16)
    return b"RIFF" + struct.pack("<I", 36 + 200) + b"WAVEfmt " + struct.pack("<I", 16) + head + b"data" + struct.pack("<I", 200) + bytes(200)


def npy(shape, kind="<f4"):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()


def write_all(folder):
    images = idx(8, (20, 4, 4), bytes(320))
    labels = idx(8, (20,), bytes(index % 10 for index in range(20)))
    files = {
        "images": images,
        "labels": labels,
        "images.gz": gzip.compress(images, mtime=0),
        "labels.gz": gzip.compress(labels, mtime=0),
        "truncated.gz": gzip.compress(images, mtime=0)[:20],
        "cut-header.gz": gzip.compress(images, mtime=0)[:6],
        "cut-trailer.gz": gzip.compress(images, mtime=0)[:-5],
        "damaged.gz": gzip.compress(images, mtime=0)[:14] + b"\xff\xff" + gzip.compress(images, mtime=0)[16:],
        "followed.gz": gzip.compress(images, mtime=0) + b"more",
        "empty": b"",
        "one-byte": b"\0",
        "wrong-magic": b"\x89PNG\r\n\x1a\n" + bytes(100),
        "short-header": images[:9],
        "short-images": images[:-7],
        "long-images": images + b"more",
        "no-images": idx(8, (0, 4, 4), b""),
        "no-height": idx(8, (20, 0, 4), b""),
        "flat-images": idx(8, (320,), bytes(320)),
        "float-images": idx(13, (20, 4, 4), bytes(320 * 4)),
        "huge-images": idx(8, (2**32 - 1, 2**32 - 1, 2**32 - 1), b""),
        "huge.gz": gzip.compress(idx(8, (2**31, 2**15, 2**15), bytes(64)), mtime=0),
        "few-labels": idx(8, (19,), bytes(19)),
        "label-out-of-range": idx(8, (20,), bytes(19) + b"\x0b"),
        "label-out-of-range.gz": gzip.compress(idx(8, (20,), bytes(19) + b"\x0b"), mtime=0),
        "label-shape": idx(8, (20, 1), bytes(20)),
        "short.txt": b"to be",
        "long.txt": b"to be or not to be " * 20,
        "empty.txt": b"",
        "lines.txt": b"cat\tmiau\ndog\twau\n",
        "other-lines.txt": b"cat\tmiau\nfish\tblub\n",
        "fewer-lines.txt": b"cat\tmiau\ncat\tmau\n",
        "more.yaml": b"train: {epochs: 3}\n",
        "not-a-plugin.so": b"not a library",
        "rows.jsonl": b'{"text": "a b", "topic": "x", "n": 1}\n{"text": "c", "topic": "y", "n": 2}\n',
        "broken.jsonl": b'{"text": "a b", "topic": "x"}\n{"text": "c", "to\n',
        "list.jsonl": b"[1, 2]\n",
        "table.csv": b"a,b,label\n1,2,x\n3,,y\n",
        "uneven.csv": b"a,b,label\n1,2,x\n3,y\n",
        "twice.csv": b"a,a,label\n1,2,x\n",
        "rows.npy": npy((20, 3)) + bytes(240),
        "cut.npy": npy((20, 3)) + bytes(100),
        "objects.npy": npy((20,), "|O") + bytes(160),
        "more-rows.npy": npy((21,), "<i8") + bytes(168),
        "no-boxes.json": b'{"images": [], "categories": [], "annotations": []}',
        "half.json": b'{"images": [{"id": 1,',
        "tree.xml": b"<annotation><filename>a.png</filename><object><name>cat</name></object></annotation>",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "a-folder").mkdir()
    for path, content in {"photos/cat/a.png": png(8), "photos/dog/b.png": png(8), "masks/cat/a.png": png(8),
                          "tones/high/a.wav": wav(8000), "tones/low/b.wav": wav(8000), "xml/a.xml": files["tree.xml"],
                          "no-classes/a.png": png(8), "cifar/train.bin": bytes(100), "cifar/test.bin": bytes(100)}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
