"""Packed data: the same training as on the data it was made of, readable from Python, kept after a kill."""
import array
import gzip
import json
import signal
import struct
import time
import unittest
import zlib

from hearth_program import DIGITS, SMALL, SOURCE, Folder

DTYPES = {"U8": "B", "I64": "q", "U32": "I", "F32": "f"}
LINES = "name: lines\ndata: {train: {text_lines: {file: lines.txt}}, batch_size: 4}\nmodel: mlp\nloss: cross_entropy\noptimizer: adamw\n"


def tensors_of(path):
    """All that a reader of safetensors files is."""
    blob = path.read_bytes()
    length = struct.unpack("<Q", blob[:8])[0]
    tensors = {}
    for name, entry in json.loads(blob[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = (8 + length + at for at in entry["data_offsets"])
            tensors[name] = array.array(DTYPES[entry["dtype"]], blob[begin:end])
    return tensors


def digits_of(split):
    """The bundled digits' pixels, 0 to 16: every fifth run of ten pictures is for the test."""
    pixels = gzip.decompress((SOURCE / "data" / "digits-images.idx3-ubyte.gz").read_bytes())[16:]
    pictures = [pixels[at:at + 64] for at in range(0, len(pixels), 64)]
    return [picture for i, picture in enumerate(pictures) if (i // 10 % 5 == 4) == (split == "test")]


class Packed(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder._folder.cleanup)

    def packed(self, *words):
        return self.folder.json("data", "pack", DIGITS, *words)

    def shards(self, name):
        manifest = json.loads((self.folder.path / name / "manifest.json").read_text())
        return manifest, [tensors_of(self.folder.path / name / shard["file"]) for shard in manifest["shards"]]

    def test_python_reads_what_the_ops_made(self):
        self.assertEqual(1440, self.packed("-o", "train", "--shard", "50kB")["samples"])
        manifest, shards = self.shards("train")
        self.assertGreater(len(shards), 5)
        self.assertEqual({"image", "label"}, {key["key"] for key in manifest["keys"]})
        found = [value for shard in shards for value in shard["image"]]
        expected = [(pixel / 16 - 0.30) / 0.37 for picture in digits_of("train") for pixel in picture]
        self.assertEqual(len(expected), len(found))
        self.assertLess(max(abs(one - other) for one, other in zip(expected, found)), 1e-5)

    def test_training_goes_as_on_the_data_it_was_made_of(self):
        for split, sets in (("train", "train"), ("test", "eval")):
            self.packed("-o", sets, "--set", sets)
        plain = self.folder.json("train", DIGITS, *SMALL)
        config = self.folder.json("show", DIGITS)
        ops = json.dumps(config["data"]["ops"][1:])
        packed = self.folder.json("train", DIGITS, *SMALL, "data.train={packed: {folder: train}}",
                                  "data.eval={packed: {folder: eval}}", f"data.ops={ops}")
        self.assertEqual(plain["state_sha256"], packed["state_sha256"])
        self.assertEqual(plain["metrics"], packed["metrics"])

    def test_values_whose_size_differs_have_offsets_and_checksums(self):
        lines = [f"line {i} {'x' * (i % 7)}" for i in range(200)]
        (self.folder.path / "lines.txt").write_text("\n".join(lines) + "\n")
        (self.folder.path / "lines.yaml").write_text(LINES)
        self.folder.run("data", "pack", "lines.yaml", "-o", "lines", "--shard", "2kB")
        found = []
        for shard in self.shards("lines")[1]:
            offsets = shard["text.offsets"]
            for begin, end, checksum in zip(offsets, offsets[1:], shard["text.crc"]):
                value = shard["text.bytes"][begin:end].tobytes()
                self.assertEqual(int(checksum), zlib.crc32(value))
                found.append(value.decode())
        self.assertEqual(lines, found)

    def test_goes_on_after_a_kill(self):
        words = ("data", "pack", DIGITS, "-o", "train", "--shard", "20kB")
        for _ in range(5):
            process = self.folder.start(*words)
            while process.poll() is None and not list(self.folder.path.glob("train/shard-0000[3-9]*")):
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
        again = self.folder.json(*words)
        self.assertEqual(1440, again["samples"])
        self.assertGreater(again["kept_shards"], 0)
        self.assertEqual([], list(self.folder.path.glob("train/*draft*")))
        _, shards = self.shards("train")
        self.assertEqual(1440, sum(len(shard["label"]) for shard in shards))

    def test_an_unfinished_folder_is_no_source(self):
        self.packed("-o", "train")
        (self.folder.path / "train" / "manifest.json").unlink()
        done = self.folder.run("check", DIGITS, "data.train={packed: {folder: train}}", ok=False)
        self.assertNotEqual(0, done.returncode)
        self.assertIn("has no manifest.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
