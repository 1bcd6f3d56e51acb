"""Misspelt, mistyped, missing and conflicting options: each caught before step 0, with the right line."""
import unittest

from hearth_program import Folder

BASE = """\
name: digits
data:
  train: {digits: {split: train}}
  eval: {digits: {split: test}}
  batch_size: 64
  ops:
    - normalize: {key: image, mean: 0.30, std: 0.37}
    - random_shift: {key: image, pixels: 1, when: train}
model: {mlp: {hidden: [16]}}
loss: cross_entropy
optimizer: {adamw: {lr: 0.003}}
metrics: [accuracy]
train:
  epochs: 1
  traces: [{best_model: {monitor: eval/accuracy}}]
""".splitlines()

# (line of the base that is replaced, its replacement, line of the fault, what the message says)
CASES = [
    # Misspelt.
    (1, "nmae: digits", 1, "there is no option 'nmae'. Did you mean 'name'?"),
    (2, "dta:", 2, "there is no option 'dta'. Did you mean 'data'?"),
    (3, "  trian: {digits: {split: train}}", 3, "there is no option 'trian'. Did you mean 'train'?"),
    (3, "  train: {digit: {split: train}}", 3, "Did you mean 'digits'?"),
    (3, "  train: {digits: {splt: train}}", 3, "there is no option 'splt'. Did you mean 'split'?"),
    (5, "  batchsize: 64", 5, "Did you mean 'batch_size'?"),
    (7, "    - normalise: {key: image}", 7, "Did you mean 'normalize'?"),
    (7, "    - normalize: {key: image, maen: 0.3}", 7, "Did you mean 'mean'?"),
    (7, "    - normalize: {key: imagee, mean: 0.3, std: 0.4}", 7, "reads 'imagee', which nothing makes. Did you mean 'image'?"),
    (8, "    - random_shift: {key: image, pixels: 1, when: trian}", 8, "trian"),
    (9, "model: {mpl: {}}", 9, "Did you mean 'mlp'?"),
    (9, "model: {mlp: {hiden: [16]}}", 9, "Did you mean 'hidden'?"),
    (10, "loss: crossentropy", 10, "Did you mean 'cross_entropy'?"),
    (10, "loss: {cross_entropy: {in: [logits, lable]}}", 10, "reads 'lable', which nothing makes. Did you mean 'label'?"),
    (11, "optimizer: {adam_w: {}}", 11, "Did you mean 'adamw'?"),
    (11, "optimizer: {adamw: {lr: {cosin: {}}}}", 11, "Did you mean 'cosine'?"),
    (12, "metrics: [acuracy]", 12, "Did you mean 'accuracy'?"),
    (12, "metrics: [{accuracy: {in: [logit, label]}}]", 12, "Did you mean 'logits'?"),
    (15, "  traces: [{best_model: {monitor: eval/acuracy}}]", 15, "Did you mean 'eval/accuracy'?"),
    (15, "  traces: [{early_stoping: {}}]", 15, "Did you mean 'early_stopping'?"),
    # Mistyped or out of range.
    (5, "  batch_size: many", 5, "expected integer, but got 'many'."),
    (5, "  batch_size: 0", 5, "must be at least 1, but is 0."),
    (5, "  batch_size: 6.5", 5, "expected integer, but got '6.5'."),
    (3, "  train: {digits: {split: training}}", 3, "train, test, all"),
    (7, "    - normalize: {key: image, mean: bright}", 7, "expected number, but got 'bright'."),
    (8, "    - random_shift: {key: image, pixels: 1, from: 3}", 8, "expected a time such as 3ep"),
    (9, "model: [mlp]", 9, "model"),
    (9, "model: {mlp: {hidden: [sixteen]}}", 9, "expected integer, but got 'sixteen'."),
    (11, "optimizer: {adamw: {lr: fast}}", 11, "fast"),
    (11, "optimizer: {adamw: {lr: {cosine: {warmup: 50}}}}", 11, "expected a time such as 3ep"),
    (13, "train: soon\nextra:", 13, "train: expected"),
    (14, "  epochs: 0", 14, "must be at least 1, but is 0."),
    (14, "  epochs: [1, 2]", 14, "expected integer"),
    (15, "  traces: [{early_stopping: {patience: 0}}]", 15, "must be at least 1, but is 0."),
    # Missing.
    (3, "  # no training data", 2, "is required, but missing."),
    (9, "# no model", 1, "is required, but missing."),
    (10, "# no loss", 9, "is required beside 'model', but missing."),
    (11, "# no optimizer", 9, "is required beside 'model', but missing."),
    (4, "  eval: {idx: {labels: nowhere-labels}}", 4, "is required, but missing."),
    # Conflicting, or not YAML at all.
    (9, "model: {mlp: {}, lenet: {}}", 9, "names two components"),
    (9, "model: mlp\nmodels: {net: {build: mlp}}", 9, "exclude each other"),
    (5, "  batch_size: 64\n  batch_size: 32", 6, "batch_size"),
    (2, "data: &loop [*loop]", 2, "loop"),
    (14, "  epochs: 1\n traces: []", 15, "not valid YAML"),
    (10, "loss: {cross_entropy: {in: [image, label]}}", 10, "image"),
    (8, "    - random_shift: {key: label, pixels: 1}", 8, "label"),
    (9, "model: {sequential: {layers: [{conv2d: {out_channels: 4, kernel_size: 11}}, flatten, {linear: {out_features: 10}}]}}", 9, "conv2d"),
    (9, "model: {sequential: {layers: [flatten, {linear: {out_features: 7}}]}}", 10, "7"),
]


class BrokenConfigs(unittest.TestCase):
    def test_there_are_at_least_forty(self):
        self.assertGreaterEqual(len(CASES), 40)

    def test_each_is_caught_at_its_line_and_leaves_no_run(self):
        with Folder() as folder:
            for number, (line, replacement, fault_line, message) in enumerate(CASES):
                lines = BASE[:line - 1] + replacement.split("\n") + BASE[line:]
                (folder.path / "broken.yaml").write_text("\n".join(lines) + "\n")
                with self.subTest(number=number, replacement=replacement):
                    done = folder.run("train", "broken.yaml", ok=False)
                    self.assertIn(done.returncode, (2, 4), done.stderr)
                    faults = [text for text in done.stderr.splitlines() if f"broken.yaml:{fault_line}:" in text]
                    self.assertTrue(any(message in text for text in faults), done.stderr)
                    self.assertFalse((folder.path / "runs").exists())

    def test_several_faults_are_said_at_once(self):
        with Folder() as folder:
            text = "\n".join(BASE).replace("batch_size: 64", "batch_size: 0").replace("epochs: 1", "epochs: x")
            (folder.path / "broken.yaml").write_text(text)
            done = folder.run("check", "broken.yaml", ok=False)
            self.assertIn("broken.yaml:5:", done.stderr)
            self.assertIn("broken.yaml:14:", done.stderr)


if __name__ == "__main__":
    unittest.main()
