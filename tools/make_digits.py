#!/usr/bin/env python3
"""Makes data/digits-*.gz from scikit-learn's copy of the UCI optical digits (test set)."""
import gzip
import pathlib
import struct

from sklearn.datasets import load_digits

UNSIGNED_BYTE = 0x08


def encode_idx(array):
    """IDX: type and rank, big-endian lengths, then the bytes."""
    header = struct.pack(">I", UNSIGNED_BYTE << 8 | array.ndim)
    lengths = struct.pack(f">{array.ndim}I", *array.shape)
    return header + lengths + array.astype("uint8").tobytes()


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "data"
    digits = load_digits()
    assert digits.images.shape == (1797, 8, 8) and digits.images.max() == 16
    for name, array in (
        ("digits-images.idx3-ubyte.gz", digits.images),
        ("digits-labels.idx1-ubyte.gz", digits.target),
    ):
        # Without a time stamp the same bytes come out every time.
        packed = gzip.compress(encode_idx(array), compresslevel=9, mtime=0)
        (folder / name).write_bytes(packed)


if __name__ == "__main__":
    main()
