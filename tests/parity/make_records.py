"""Writes small TFRecord files, tars and what they hold, with the standard library only: the corpora of their fuzzers,
and records.json, which the tests of the readers and sources compare with."""
import gzip
import io
import json
import pathlib
import struct
import tarfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "corpus"


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(length)) + data + struct.pack("<I", masked(data))


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def feature(values, packed):
    if isinstance(values[0], bytes):
        return field(1, b"".join(field(1, value) for value in values))
    if isinstance(values[0], float):
        parts = [struct.pack("<f", value) for value in values]
        return field(2, field(1, b"".join(parts)) if packed else b"".join(b"\x0d" + part for part in parts))
    parts = [varint(value) for value in values]
    return field(3, field(1, b"".join(parts)) if packed else b"".join(b"\x08" + part for part in parts))


def example(features, packed=True):
    entries = b"".join(field(1, field(1, name.encode()) + field(2, feature(values, packed)))
                       for name, values in features.items())
    return field(1, entries)


def png(shade):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([shade] * 4) for _ in range(3))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 3, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def tar_bytes(form, files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        folder = tarfile.TarInfo("set")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


EXAMPLES = [{"image/encoded": [png(40 * i)], "label": [i % 3], "weight": [0.5 * i],
             "box": [0.25, 1.5, float(-i), 3e20], "ids": [-1 - i, 1 << 40], "caption": [f"picture {i}".encode()]}
            for i in range(5)]
plain = b"".join(record(example(one, packed=i % 2 == 0)) for i, one in enumerate(EXAMPLES))
write(CORPUS / "tfrecord/small.tfrecord", plain)
write(CORPUS / "tfrecord/small.tfrecord.gz", gzip.compress(plain, mtime=0))
write(CORPUS / "tfrecord/empty_record.tfrecord", record(b""))
write(CORPUS / "tf_example/packed.bin", example(EXAMPLES[1]))
write(CORPUS / "tf_example/plain.bin", example(EXAMPLES[2], packed=False))

LONG = "set/" + "long" * 30 + "/007"
FILES = []
for i in range(6):
    stem = LONG if i == 5 else f"set/{i:03}"
    FILES += [(stem + ".png", png(30 * i)), (stem + ".cls", f"{i % 3}\n".encode()), (stem + ".txt", f"line {i}".encode())]
for name, form in (("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)):
    write(CORPUS / f"tar/{name}.tar", tar_bytes(form, FILES))

LINES = [{"review": f"text {i} \u00e9", "stars": i / 2, "where": [i, 2], "kind": ["good", "bad"][i % 2], "group": i % 4}
         for i in range(9)]
write(CORPUS / "json_lines/small.jsonl", "".join(json.dumps(line) + "\n" for line in LINES).encode())

stored = [{name: [value.hex() if isinstance(value, bytes) else value for value in values]
           for name, values in one.items()} for one in EXAMPLES]
(ROOT / "parity/records.json").write_text(json.dumps({
    "examples": stored, "tar": [{"name": name, "bytes": data.hex()} for name, data in FILES]}) + "\n")
