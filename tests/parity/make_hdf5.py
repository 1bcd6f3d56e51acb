"""Writes tests/corpus/hdf5/*.h5 and tests/parity/hdf5.json: small files that h5py (Debian's python3-h5py 3.7) wrote, and
the numbers in them."""
import json
import pathlib

import h5py
import numpy

FOLDER = pathlib.Path(__file__).resolve().parent
FILES = FOLDER.parent / "corpus" / "hdf5"
FILES.mkdir(exist_ok=True)


def counted(dtype, *shape):
    return (numpy.arange(numpy.prod(shape)) % 113 - (50 if numpy.dtype(dtype).kind != "u" else 0)).astype(dtype).reshape(shape)


def write_rows(file):
    """What a source reads: as many rows each, in one piece and in chunks, in groups."""
    file["features"] = counted("f4", 6, 3)
    file["label"] = (numpy.arange(6) % 4).astype("i8")
    file.create_group("train").create_dataset("image", data=counted("u1", 6, 5, 7, 3), chunks=(4, 3, 7, 2), compression="gzip",
                                              shuffle=True)


def write_types(file):
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "f2", "f4", "f8", ">i2", ">f4", ">f8"):
        file[dtype.replace(">", "big_")] = counted(dtype, 3, 2)
    file["truth"] = numpy.array([True, False, True])


def write_filters(file):
    file.create_dataset("plain", data=counted("i4", 5, 4), chunks=(2, 3))
    file.create_dataset("gzip", data=counted("f8", 5, 4), chunks=(2, 3), compression="gzip")
    file.create_dataset("checked", data=counted("f4", 5, 4), chunks=(5, 2), compression="gzip", fletcher32=True)
    file.create_dataset("lzf", data=counted("i2", 40, 9) // 20, chunks=(20, 9), compression="lzf", shuffle=True)
    file.create_dataset("filled", shape=(5, 3), dtype="f4", chunks=(2, 2), fillvalue=7.5)[3:, 0] = [1, 2]
    file.create_dataset("unwritten", shape=(5, 2), dtype="i4")
    file.create_dataset("growing", data=counted("u1", 50), maxshape=(None,), chunks=(3,))


def write_latest(file):
    file["one_piece"] = counted("f4", 4, 2)
    file.create_dataset("one_chunk", data=counted("f4", 4, 2), chunks=(4, 2), compression="gzip")
    file.create_dataset("listed", data=counted("i4", 4, 3), chunks=(2, 2))
    file.create_dataset("listed_packed", data=counted("i4", 4, 3), chunks=(2, 2), compression="gzip", shuffle=True)
    file["other"] = h5py.ExternalLink("other.h5", "/x")


def write_unreadable(file):
    """Each of these must be refused by name."""
    file["text"] = numpy.array([b"ab", b"c"])
    file["any_text"] = ["ab", "c"]
    file["records"] = numpy.zeros(2, dtype=[("a", "f4"), ("b", "i4")])
    file["unsigned"] = counted("u8", 2)
    file["complex"] = numpy.zeros(2, "c8")
    file["single"] = 3.5
    file.create_dataset("scaled", data=counted("i4", 4), chunks=(2,), scaleoffset=0)
    file["link"] = h5py.SoftLink("/single")


def write_growing_latest(file):
    file.create_dataset("growing", data=counted("u1", 50), maxshape=(None,), chunks=(3,))


def write_many_latest(file):
    for i in range(20):
        file[f"d{i}"] = counted("u1", 1)


stored = {}
for name, write, options in [("rows", write_rows, {}), ("types", write_types, {}), ("filters", write_filters, {}),
                             ("latest", write_latest, {"libver": "latest"}), ("block", write_rows, {"userblock_size": 512}),
                             ("unreadable", write_unreadable, {}), ("growing_latest", write_growing_latest, {"libver": "latest"}),
                             ("many_latest", write_many_latest, {"libver": "latest"})]:
    path = FILES / f"{name}.h5"
    path.unlink(missing_ok=True)
    with h5py.File(path, "w", **options) as file:
        write(file)
    if name in ("unreadable", "growing_latest", "many_latest"):
        continue
    with h5py.File(path, "r") as file:
        values = {}

        def add(path, item):
            if isinstance(item, h5py.Dataset):
                values[path] = {"shape": item.shape, "values": item[()].astype("f8").ravel().tolist()}

        file.visititems(add)
        stored[name] = values
(FOLDER / "hdf5.json").write_text(json.dumps(stored) + "\n")
