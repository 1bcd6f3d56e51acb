"""Weights exported for other programs: torchvision's names and shapes for its residual networks, nanoGPT's for gpt."""
import hashlib
import json
import struct
import unittest

from hearth_program import SOURCE, Folder

DTYPES = {"F32": "float32", "I64": "int64"}


def tensors_of(path):
    """The header of a safetensors file, and all bytes behind it."""
    blob = path.read_bytes()
    length = struct.unpack("<Q", blob[:8])[0]
    header = json.loads(blob[8:8 + length])
    header.pop("__metadata__", None)
    return header, blob[8 + length:]


def config(source, model, more=""):
    return (f"name: exported\ndata: {{train: {{{source}}}, batch_size: 2}}\nmodel: {{{model}}}\n{more}"
            "loss: cross_entropy\noptimizer: {sgd: {lr: 0.01}}\ntrain: {epochs: 1}\n")


class Export(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder._folder.cleanup)

    def exported(self, *experiment):
        (self.folder.path / "a.yaml").write_text(config(*experiment))
        run = self.folder.json("train", "a.yaml")["run"]
        said = self.folder.json("export", run, "weights", "--names", "torch")
        self.assertEqual({"folder": "weights", "files": ["model.safetensors"]}, said)
        self.assertEqual(["model.safetensors"], [file.name for file in (self.folder.path / "weights").iterdir()])
        return tensors_of(self.folder.path / "weights" / "model.safetensors")

    def test_torchvision_takes_a_residual_network_strictly(self):
        header, data = self.exported("synthetic: {size: 2, shape: [3, 32, 32], classes: 1000}", "resnet: {depth: 18}")
        known = json.loads((SOURCE / "tests/parity/torchvision/resnet.json").read_text())["resnet18"]
        listed = "".join(sorted(f"{name} {entry['shape']}\n" for name, entry in header.items()))
        self.assertEqual(known["sorted_digest"], hashlib.sha256(listed.encode()).hexdigest(), listed)
        try:
            import torch
            import torchvision
        except ImportError:
            return
        state = {name: torch.frombuffer(bytearray(data[slice(*entry["data_offsets"])]),
                                        dtype=getattr(torch, DTYPES[entry["dtype"]])).reshape(entry["shape"])
                 for name, entry in header.items()}
        torchvision.models.resnet18().load_state_dict(state, strict=True)

    def test_a_transformer_has_the_names_of_nano_gpt(self):
        (self.folder.path / "some.txt").write_text("to be or not to be, that is the question. " * 4)
        header, _ = self.exported("text: {file: some.txt, length: 8}", "gpt: {layers: 1, width: 8, heads: 2}",
                                  "input: tokens\ntarget: next\n")
        block = [f"{name}.{what}" for name in ("ln_1", "attn.c_attn", "attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj")
                 for what in ("weight", "bias")]
        self.assertEqual({"lm_head.weight", "transformer.wte.weight", "transformer.wpe.weight",
                          "transformer.ln_f.weight", "transformer.ln_f.bias",
                          *(f"transformer.h.0.{name}" for name in block)}, set(header))

    def test_weights_go_through_every_format_and_come_back(self):
        (self.folder.path / "a.yaml").write_text(
            config("synthetic: {size: 2, shape: [3, 8, 8], classes: 3}", "resnet: {depth: 20, width: 4}"))
        run = self.folder.json("train", "a.yaml")["run"]
        before = run
        for name in ("a.pt", "b.npz", "c.safetensors", "d.npz", "e.pth", "f.safetensors", "g.pt"):
            self.folder.run("weights", "convert", before, name)
            self.assertEqual(0, self.folder.json("weights", "diff", run, name)["differing"], name)
            before = name
        self.assertIn("g.pt is there already", self.folder.run("weights", "convert", run, "g.pt", ok=False).stderr)
        header, data = tensors_of(self.folder.path / "f.safetensors")
        try:
            import numpy
            import torch
        except ImportError:
            return
        of_torch = torch.load(self.folder.path / "g.pt", weights_only=True)
        of_numpy = numpy.load(self.folder.path / "d.npz", allow_pickle=False)
        self.assertEqual(set(header), set(of_torch))
        for name, entry in header.items():
            expected = numpy.frombuffer(data[slice(*entry["data_offsets"])], DTYPES[entry["dtype"]]).reshape(entry["shape"])
            numpy.testing.assert_array_equal(expected, of_torch[name].numpy(), name)
            numpy.testing.assert_array_equal(expected, of_numpy[name], name)

    def test_hearth_says_that_the_folder_is_not_for_itself(self):
        self.exported("synthetic: {size: 2, shape: [1, 8, 8], classes: 3}", "mlp: {hidden: [4]}")
        header, _ = tensors_of(self.folder.path / "weights" / "model.safetensors")
        self.assertEqual({"hidden1.weight", "hidden1.bias", "output.weight", "output.bias"}, set(header))
        done = self.folder.run("evaluate", "weights", ok=False)
        self.assertEqual(3, done.returncode)
        self.assertIn("weights is not a run folder", done.stderr)
        self.assertIn("--names torch", done.stderr)


if __name__ == "__main__":
    unittest.main()
