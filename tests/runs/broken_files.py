"""Data files with something wrong in each, for configs that name them."""
import gzip
import struct


def idx(type_code, shape, data):
    return struct.pack(f">BBBB{len(shape)}I", 0, 0, type_code, len(shape), *shape) + data


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
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "a-folder").mkdir()
