#!/usr/bin/python3
"""Writes files of torch.save of many kinds, small, and what is in them, for hearth/format/pt_test.cpp.

    /usr/bin/python3 tests/parity/make_pt.py

Files lie in tests/corpus/pt and pt_legacy, where the fuzz targets begin with them; pt.json says what they hold, or what
they are refused for. Those called found_* the fuzzer made: each reaches code that no other does.
"""
import collections
import io
import json
import os
import pathlib
import pickle
import struct
import sys
import zipfile

import numpy
import torch

root = pathlib.Path(__file__).resolve().parent.parent
folders = {name: root / "corpus" / name for name in ("pt", "pt_legacy", "pickle")}
for folder in folders.values():
    folder.mkdir(parents=True, exist_ok=True)
expected = {}


def numbers(*shape, dtype=torch.float32):
    count = int(numpy.prod(shape)) if shape else 1
    return (torch.arange(count) * 7 % 23 - 9).reshape(shape).to(dtype) / (4 if dtype.is_floating_point else 1)


def flat(value, name=""):
    """Tensors and plain values by the names that Hearth gives them."""
    if isinstance(value, torch.Tensor):
        yield name or "tensor", value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from flat(item, f"{name}.{key}" if name else str(key))
    elif isinstance(value, (list, tuple)):
        for key, item in enumerate(value):
            yield from flat(item, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def content(value):
    tensors, values = [], {}
    for name, item in flat(value):
        if isinstance(item, torch.Tensor):
            dense = item.detach().contiguous()
            raw = dense.view(torch.int16) if dense.dtype == torch.bfloat16 else dense
            tensors.append({"name": name, "dtype": str(item.dtype)[6:], "shape": list(item.shape),
                            "bytes": raw.numpy().tobytes().hex()})
        else:
            values[name] = item
    return {"tensors": tensors, "values": values}


def write(name, value, refused=None, legacy=None, **options):
    """In both forms, unless only one is wanted."""
    for form, is_zip in (("pt", True), ("pt_legacy", False)):
        if legacy is not None and legacy == is_zip:
            continue
        torch.save(value, folders[form] / f"{name}.pt", _use_new_zipfile_serialization=is_zip, **options)
        expected[f"{form}/{name}.pt"] = {"refused": refused} if refused else content(value)


def write_archive(name, pickled, refused, storages=()):
    with zipfile.ZipFile(folders["pt"] / f"{name}.pt", "w") as archive:
        archive.writestr("archive/data.pkl", pickled)
        for key, data in storages:
            archive.writestr(f"archive/data/{key}", data)
        archive.writestr("archive/version", "3\n")
    expected[f"pt/{name}.pt"] = {"refused": refused}


class Attributed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3)
        self.norm = torch.nn.BatchNorm2d(2)
        self.head = torch.nn.Linear(2, 3)


torch.manual_seed(1)
model = Attributed()
write("state_dict", model.state_dict())
write("state_dict_protocol4", model.state_dict(), pickle_protocol=4)

base = numbers(4, 6)
write("shared_storage", {"embedding": base, "head": base, "first_row": base[0]})
write("views", {"transposed": base.t(), "window": base[1:3, 2:5], "every_second": base[:, ::2],
                "expanded": numbers(3, 1).expand(3, 5), "permuted": numbers(2, 3, 4).permute(2, 0, 1),
                "channels_last": numbers(2, 3, 2, 2).to(memory_format=torch.channels_last)})
write("half", {"weight": numbers(3, 3, dtype=torch.float16)})
write("bfloat16", {"weight": numbers(3, 3, dtype=torch.bfloat16)})
write("double", {"weight": numbers(5, dtype=torch.float64)})
write("truth", {"mask": torch.tensor([True, False, True])})
write("whole_numbers", {str(dtype)[6:]: numbers(4).abs().to(dtype)
                        for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)})
write("special_numbers", {"weight": torch.tensor([float("inf"), float("-inf"), -0.0, 1e-45, 3.4e38])})
write("nested", {"epoch": 7, "model": {"a": {"weight": numbers(2)}}, "losses": [0.5, 0.25], "name": "run one",
                 "best": None, "is_last": True, "pair": (1, numbers(1)), 3: numbers(2, 1),
                 "large": 2**40, "negative": -3})
write("ordered", collections.OrderedDict([("second", numbers(2)), ("first", numbers(3))]))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
sum(parameter.sum() for parameter in model.parameters()).backward()
optimizer.step()
write("optimizer", {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1})
write("empty", {"none": torch.empty(0), "no_rows": torch.empty(0, 3), "weight": numbers(2)})
write("scalar", {"scale": torch.tensor(2.5), "count": torch.tensor(9)})
write("parameter", {"weight": torch.nn.Parameter(numbers(2, 2)), "frozen": torch.nn.Parameter(numbers(2), False)})
write("one_tensor", numbers(2, 3))
write("list", [numbers(1), numbers(2)])
attributed = numbers(3)
attributed.note = "kept by Python"
write("attributes", {"weight": attributed})
write("lora", {"0.weight": numbers(3, 4), "0.bias": numbers(3), "0.lora_a": numbers(2, 4), "0.lora_b": numbers(3, 2),
               "0.lora_scale": torch.tensor(2.0)}, legacy=False)
write("plain_values", {"numbers": [1, 2.5, -1], "text": "ä", "truth": False})

# What is refused, with what it wanted to execute or what does not fit.
write("module", torch.nn.Linear(2, 2), refused="torch.nn.modules.linear.Linear", legacy=False)
write("module_of_script", model, refused="__main__.Attributed", legacy=False)
write("complex", {"weight": torch.tensor([1 + 2j])}, refused="torch.ComplexFloatStorage")
write("sparse", {"weight": torch.eye(3).to_sparse()}, refused="torch._utils._rebuild_sparse_tensor")
write("quantized", {"weight": torch.quantize_per_tensor(numbers(3), 0.1, 0, torch.qint8)},
      refused="torch._utils._rebuild_qtensor")
write("numpy_number", {"best": numpy.float64(0.5)}, refused="numpy.core.multiarray.scalar")


class Hostile:
    def __reduce__(self):
        return os.system, ("touch hearth_was_executed",)


write("hostile_system", {"weight": numbers(2), "more": Hostile()}, refused="posix.system")
unicode = lambda text: b"X" + struct.pack("<I", len(text)) + text.encode()
storage = lambda count: (b"(" + unicode("storage") + b"ctorch\nFloatStorage\n" + unicode("0") + unicode("cpu") + b"J" +
                         struct.pack("<i", count) + b"tQ")


def tensor(count, offset, sizes, strides):
    whole = lambda number: b"\x8a\x08" + struct.pack("<q", number)
    return (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage(count) + whole(offset) +
            b"(" + b"".join(map(whole, sizes)) + b"t(" + b"".join(map(whole, strides)) + b"t\x89N" + b"tR")


def one(value):
    return b"\x80\x02}" + unicode("weight") + value + b"s."


eight = [("0", bytes(8))]
write_archive("hostile_beyond", one(tensor(2, 1, [2], [1])), "reaches beyond its storage", eight)
write_archive("hostile_negative", one(tensor(2, -1, [2], [1])), "no whole number from 0", eight)
write_archive("hostile_huge_shape", one(tensor(2, 0, [2**40], [0])), "repeats its storage", eight)
write_archive("hostile_overflow", one(tensor(2, 0, [2**40, 2**40], [2**40, 2**40])), "reaches beyond its storage", eight)
write_archive("hostile_huge_storage", one(tensor(2**31 - 1, 0, [2], [1])), "8 bytes, expected", eight)
write_archive("hostile_no_storage", one(tensor(2, 0, [2], [1])), "is missing")
write_archive("hostile_huge_text", b"\x80\x02X\xff\xff\xff\x7fabc", "cut off")
write_archive("hostile_huge_memo", b"\x80\x02}r\xff\xff\xff\xffj\xfe\xff\xff\xff.", "recalls what it never kept")
write_archive("hostile_memo_loop", b"\x80\x02]q\x00h\x00a.", "holds itself")
laughs = b"\x80\x02]q\x00" + b"".join(b"0](" + b"h%c" % i * 4 + b"eq%c" % (i + 1) for i in range(20)) + b"."
write_archive("hostile_laughs", laughs, "over and over")
write_archive("hostile_deep", b"\x80\x02" + b"(" * 5000 + b"t" * 5000 + b".", "nested deeper")
write_archive("hostile_stack", b"\x80\x02R.", "takes what is not there")
write_archive("hostile_stack_global", b"\x80\x04\x8c\x05posix\x8c\x06system\x93.", "posix.system")
write_archive("hostile_instance", b"\x80\x02(ios\nsystem\n.", "opcode 105")
whole = (folders["pt"] / "half.pt").read_bytes()
place = whole.index(numbers(3, 3, dtype=torch.float16).numpy().tobytes())
(folders["pt"] / "damaged.pt").write_bytes(whole[:place] + b"\x01" + whole[place + 1:])
expected["pt/damaged.pt"] = {"refused": "checksum does not fit"}
script = io.BytesIO()
torch.jit.save(torch.jit.script(torch.nn.Linear(1, 1)), script)
(folders["pt"] / "script.pt").write_bytes(script.getvalue())
expected["pt/script.pt"] = {"refused": "TorchScript"}
short = (folders["pt_legacy"] / "half.pt").read_bytes()[:-3]
(folders["pt_legacy"] / "cut.pt").write_bytes(short)
expected["pt_legacy/cut.pt"] = {"refused": "bytes are missing"}

for path in (folders["pt"]).glob("*.pt"):
    with zipfile.ZipFile(path) as archive:
        pickled = next((archive.read(name) for name in archive.namelist() if name.endswith("data.pkl")), None)
    if pickled is not None and len(pickled) < 4000:
        (folders["pickle"] / f"{path.stem}.pkl").write_bytes(pickled)
(root / "parity" / "pt.json").write_text(json.dumps(expected, indent=0, sort_keys=True) + "\n")
print(len(expected), "files")
