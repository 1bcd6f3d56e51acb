"""Features of a trained model as data: packed, trained on, kept after a kill; and commands on configs of data alone."""
import signal
import time
import unittest

from hearth_program import DIGITS, SMALL, Folder
from packed_test import tensors_of

DATA = "data:\n  train: {digits: {split: train}}\n  eval: {digits: {split: test}}\n"
HEAD = """name: head
data:
  train: {packed: {folder: features/train}}
  eval: {packed: {folder: features/eval}}
  batch_size: 64
model: {mlp: {hidden: []}}
input: logits
loss: cross_entropy
optimizer: {adamw: {lr: 0.05}}
metrics: [accuracy]
train: {epochs: 2}
"""


class Features(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder._folder.cleanup)

    def trained(self):
        return self.folder.json("train", DIGITS, *SMALL)["run"]

    def test_a_model_trains_on_what_another_one_makes(self):
        run = self.trained()
        for name in ("train", "eval"):
            said = self.folder.json("data", "features", run, "--set", name, "--key", "logits", "--key", "label",
                                    "-o", f"features/{name}")
            self.assertEqual(1440 if name == "train" else 357, said["samples"])
        (self.folder.path / "head.yaml").write_text(HEAD)
        self.assertGreater(self.folder.json("train", "head.yaml")["metrics"]["eval/accuracy"], 0.5)
        # What was packed is what the model says of the samples.
        packed = tensors_of(self.folder.path / "features" / "eval" / "shard-00000.safetensors")
        said = self.folder.json("predict", run, "--sample", "5", "--batch", "1")
        (self.folder.path / "data.yaml").write_text(DATA)
        again = self.folder.json("data", "features", run, "data.yaml", "--set", "eval", "--key", "logits", "-o", "again")
        self.assertEqual(357, again["samples"])
        other = tensors_of(self.folder.path / "again" / "shard-00000.safetensors")
        self.assertEqual(list(packed["logits"]), list(other["logits"]))
        best = max(range(10), key=lambda each: packed["logits"][50 + each])
        self.assertEqual(best, max(range(10), key=lambda each: said[0]["values"][each]))

    def test_goes_on_after_a_kill(self):
        run = self.trained()
        words = ("data", "features", run, "--key", "logits", "-o", "features", "--shard", "5kB")
        process = self.folder.start(*words)
        while process.poll() is None and not list(self.folder.path.glob("features/shard-0000[3-9]*")):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        again = self.folder.json(*words)
        self.assertEqual(1440, again["samples"])
        self.assertGreater(again["kept_shards"], 0)
        # Other weights make other features: nothing of these is kept.
        other = self.folder.json("data", "features", self.trained_otherwise(), *words[3:])
        self.assertEqual((1440, 0), (other["samples"], other["kept_shards"]))

    def trained_otherwise(self):
        return self.folder.json("train", DIGITS, *SMALL, "seed=9")["run"]

    def test_says_which_keys_there_are_none_of(self):
        run = self.trained()
        for key, message in (("logit", "Did you mean 'logits'?"), ("image", "is the picture itself")):
            done = self.folder.run("data", "features", run, "--key", key, "-o", "features", ok=False)
            self.assertIn(message, done.stderr)

    def test_data_alone_is_enough_to_look_at_and_to_pack(self):
        (self.folder.path / "data.yaml").write_text(DATA)
        self.assertEqual(2, len(self.folder.json("data", "show", "data.yaml", "--samples", "50")["sets"]))
        self.assertEqual(1440, self.folder.json("data", "pack", "data.yaml", "-o", "packed")["samples"])
        measured = self.folder.json("data", "bench", "data.yaml", "--seconds", "0.05")
        self.assertGreater(measured["rates"][0]["samples_per_second"], 0)
        self.assertNotIn("training", measured)
        done = self.folder.run("train", "data.yaml", ok=False)
        self.assertIn("model: is required, but missing", done.stderr)


if __name__ == "__main__":
    unittest.main()
