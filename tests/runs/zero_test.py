"""Optimizer state and gradients shared out among processes: the bits of one that has everything, and its share of memory."""
import json
import signal
import time
import unittest

from hearth_program import DIGITS, EVERYTHING, Folder, events
from ranks_test import ALL_SORTS, Ranks

# The first layer has more than a quarter of all parameters, and is cut.
WIDE = [DIGITS, "shards=4", "model={mlp: {hidden: [512, 256]}}", "train.epochs=1", "train.traces=[]",
        "data.train={subset: {of: {digits: {split: train}}, until: 0.3}}"]
# A matrix optimizer that needs whole parameters beside one that does not.
TWO_OPTIMIZERS = {
    "shards": 4,
    "data": {"train": {"subset": {"of": {"digits": {"split": "train"}}, "until": 0.3}}, "batch_size": 32,
             "ops": [{"normalize": {"key": "image", "mean": 0.30, "std": 0.37}}]},
    "models": {"net": {"build": {"mlp": {"hidden": [128, 64], "classes": 10}}, "optimizer": "adamw",
                       "optimizers": {"matrices": {"muon": {}}}, "decay": "weights",
                       "groups": [{"match": "hidden*.weight", "optimizer": "matrices"},
                                  {"match": "output*", "frozen": True, "until": "6st"}]}},
    "network": [{"call": {"model": "net", "in": "image", "out": "logits"}},
                {"cross_entropy": {"in": ["logits", "label"], "out": "loss"}},
                {"update": {"model": "net", "loss": "loss", "clip_norm": 0.5}}],
    "train": {"epochs": 1},
}


def optimizer_bytes(run):
    """What the optimizers of each process remember, as the end of the run's history says."""
    lines = [json.loads(line) for line in (run / "history.jsonl").read_text().splitlines()]
    return next(line for line in lines if line["event"] == "end")["details"]["optimizer_bytes"]


class ZeroChangesNoBits(unittest.TestCase):
    def compare(self, words, zeros=(1, 2), ranks=(2, 4)):
        with Folder() as folder:
            first = folder.json("train", *words)
            log = events(folder.path / first["run"])
            for zero in zeros:
                for count in ranks:
                    report = Ranks(folder, count, "train", *words, f"zero={zero}").report()
                    case = f"zero: {zero}, {count} processes"
                    self.assertEqual(first["state_sha256"], report["state_sha256"], case)
                    self.assertEqual(log, events(folder.path / report["run"]), case)

    def test_all_sorts_of_layers_averages_accumulation_clipping_and_batches_that_may_be_skipped(self):
        self.compare([ALL_SORTS])

    def test_a_parameter_that_is_cut(self):
        self.compare([*WIDE, "optimizer={adam: {lr: 0.01}}"], zeros=(2,))

    def test_everything_else_at_once(self):
        self.compare([EVERYTHING, "shards=2"], ranks=(2,))

    def test_several_optimizers_groups_and_frozen_parameters(self):
        with Folder() as folder:
            (folder.path / "two.yaml").write_text(json.dumps(TWO_OPTIMIZERS))
            whole = folder.json("train", "two.yaml")
            for zero in (1, 2):
                report = Ranks(folder, 3, "train", "two.yaml", f"zero={zero}").report()
                self.assertEqual(whole["state_sha256"], report["state_sha256"], f"zero: {zero}")

    def test_a_killed_run_goes_on_with_another_number_of_processes_and_without_zero(self):
        with Folder() as folder:
            whole = folder.json("train", ALL_SORTS)
            running = Ranks(folder, 4, "train", ALL_SORTS, "name=killed", "zero=2")
            deadline = time.monotonic() + 60
            while not list(folder.path.glob("runs/killed-*/checkpoints/step-*.safetensors")):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)
            for process in running.processes:
                process.send_signal(signal.SIGKILL)
            running.wait()
            run = next(folder.path.glob("runs/killed-*"))
            report = Ranks(folder, 2, "train", "--resume", str(run), "zero=0").report()
            self.assertEqual(whole["state_sha256"], report["state_sha256"])
            self.assertEqual(events(folder.path / whole["run"]), events(run))


class ZeroTakesLessMemory(unittest.TestCase):
    def test_each_of_four_processes_remembers_a_quarter_of_adams_state(self):
        with Folder() as folder:
            words = [*WIDE, "optimizer={adam: {lr: 0.01}}"]
            every = optimizer_bytes(folder.path / Ranks(folder, 4, "train", *words, "zero=0").report()["run"])
            share = optimizer_bytes(folder.path / Ranks(folder, 4, "train", *words, "zero=1").report()["run"])
            self.assertEqual(1, len(set(every)))
            self.assertEqual(every[0], sum(share))
            self.assertLessEqual(max(share), every[0] / 4 * 1.05)


if __name__ == "__main__":
    unittest.main()
