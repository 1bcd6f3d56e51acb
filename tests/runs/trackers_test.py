"""Trackers bring the log to other programs as it is, also after kills: read by an independent reader of the format."""
import csv
import json
import math
import random
import signal
import struct
import time
import unittest

from event_file_reader import Board
from hearth_program import DIGITS, SMALL, Folder

TRACKED = [*SMALL, "train.epochs=60", "train.trackers=[tensorboard, csv]", "metrics+=confusion",
           "train.traces+={capture: {layers: ['*'], what: [mean, histogram], every: 10st}}",
           "train.traces+={weight_watch: {bins: 8}}", "train.traces+={gradient_watch: {bins: 5}}",
           "train.traces+={image_saver: {count: 2}}", "train.checkpoint.every=50st"]

PARTS = """
data: {train: {digits: {split: train}}, ops: [normalize]}
models: {net: {build: {mlp: {hidden: [16]}}, optimizer: {sgd: {lr: 0.1}}}}
network:
  - call: {model: net, in: image, out: logits}
  - cross_entropy: {in: [logits, label], out: near}
  - focal_loss: {in: [logits, label], out: far}
  - sum: {parts: {near: 1, far: {linear: {first: 0, last: 1}}}, out: loss}
  - update: {model: net, loss: loss}
"""


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def series(run):
    """Every number of the log by the name that others see, as (step, value)."""
    found = {}
    for line in (run / "log.jsonl").read_text().splitlines():
        event = json.loads(line)
        for name, value in event.get("values", {}).items():
            kind = {"epoch": "train", "step": "step"}.get(event["event"], event["event"])
            full = name if kind == "step" and "/" in name else f"{kind}/{name}"
            found.setdefault(full, []).append((event["step"], float(value)))
    return found


def board(folder, **settings):
    read = Board()
    for file in sorted(folder.glob("events.out.tfevents.*")):
        read.read(file.read_bytes(), **settings)
    return read


class Trackers(unittest.TestCase):
    def check_board(self, run, read):
        truth = series(run)
        self.assertEqual(set(truth), set(read.scalars))
        for name, points in truth.items():
            self.assertEqual([(step, single(value)) for step, value in points], read.scalars[name], name)

    def check_csv(self, run):
        truth = series(run)
        found = {}
        with open(run / "metrics.csv", newline="") as file:
            for row in csv.DictReader(file):
                for name, value in row.items():
                    if name not in ("step", "epoch", "time") and value:
                        found.setdefault(name, []).append((int(row["step"]), float(value)))
        self.assertEqual(truth, found)

    def test_a_run_that_is_killed_again_and_again_is_told_as_its_log_says(self):
        chance = random.Random(7)
        with Folder() as folder:
            process = folder.start("train", DIGITS, *TRACKED, "name=victim")
            while not (configs := list(folder.path.glob("runs/victim-*/config.yaml"))):
                self.assertIsNone(process.poll())
                time.sleep(0.001)
            run = configs[0].parent
            kills = 0
            for _ in range(3):
                time.sleep(chance.uniform(0.1, 0.8))
                process.send_signal(signal.SIGKILL)
                kills += process.wait() == -signal.SIGKILL
                board(run / "tensorboard", may_be_torn=True)  # whatever is there can be read
                process = folder.start("train", "--resume", str(run))
            self.assertEqual(0, process.wait())
            self.assertGreater(kills, 0)
            read = board(run / "tensorboard")
            self.check_board(run, read)
            self.check_csv(run)
            self.assertEqual(1, len(list((run / "tensorboard").iterdir())))
            self.check_rest(run, read)
            self.check_conversion(folder, run)

    def check_rest(self, run, read):
        """Histograms, pictures, tables, graph, options and the end."""
        log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        self.check_histograms(log, read)
        self.check_pictures(run, log, read)
        self.assertIn("| true", read.texts["eval/confusion"][-1][1])
        self.assertIn("batch_size", read.texts["config"][0][1])
        names = {node["name"] for node in read.graph}
        self.assertTrue(all(name in names for node in read.graph for name in node["inputs"]))
        self.assertIn("linear", {node["op"] for node in read.graph})
        self.assertEqual(60, read.hparams["train.epochs"])
        self.assertEqual(1, read.status)

    def check_histograms(self, log, read):
        found, kinds = {}, set()
        for event in log:
            for name, bars in event.get("details", {}).items():
                if isinstance(bars, dict) and "counts" in bars:
                    kinds.add(event["event"])
                    found.setdefault(f"{event['event']}/{name}", []).append((event["step"], bars["counts"]))
        self.assertEqual({"capture", "gradients", "weights_watched"}, kinds)
        self.assertEqual(found, read.histograms)

    def check_pictures(self, run, log, read):
        found = {}
        for event in log:
            if event["event"] == "image":
                picture = (run / event["details"]["file"]).read_bytes()
                width, height = struct.unpack(">II", picture[16:24])
                found.setdefault(event["details"]["name"], []).append((event["step"], height, width, picture))
        self.assertIn("samples.eval", found)
        self.assertEqual(found, read.images)

    def check_conversion(self, folder, run):
        folder.run("log", str(run), "--tensorboard", "board", "--csv", "out.csv")
        converted = board(folder.path / "board" / run.name)
        self.check_board(run, converted)
        self.check_rest(run, converted)
        self.assertEqual((run / "metrics.csv").read_text(), (folder.path / "out.csv").read_text())

    def test_a_folder_that_cannot_be_written_costs_a_note_and_nothing_else(self):
        with Folder() as folder:
            (folder.path / "taken").write_text("a file")
            done = folder.run("train", DIGITS, *SMALL, "train.epochs=1",
                              "train.trackers=[{tensorboard: {folder: taken}}]")
            self.assertIn("note: tensorboard: ", done.stderr)
            self.assertIn("The training goes on", done.stderr)

    def test_curves_and_a_report_of_a_run(self):
        with Folder() as folder:
            run = folder.json("train", DIGITS, *SMALL, "metrics+=confusion", "train.traces+=worst_samples")["run"]
            lines = folder.json("plot", run, "--metric", "eval/accuracy")["lines"]
            truth = series(folder.path / run)["eval/accuracy"]
            self.assertEqual(truth, list(zip(lines[0]["x"], lines[0]["y"])))
            failed = folder.run("plot", run, "--metric", "eval/acuracy", ok=False)
            self.assertEqual(2, failed.returncode)
            self.assertIn("Did you mean 'eval/accuracy'?", failed.stderr)
            for file in ("loss.svg", "loss.png"):
                folder.run("plot", run, "--metric", "step/loss", "--smooth", "0.9", "--log", "--out", file)
            self.assertTrue((folder.path / "loss.png").read_bytes().startswith(b"\x89PNG"))
            self.assertIn("(as measured)", (folder.path / "loss.svg").read_text())
            folder.run("report", run)
            page = (folder.path / run / "report.html").read_text()
            for part in ("Curves", "Config", "Model", "eval/confusion", "worst_samples.eval", "Machine", "History"):
                self.assertIn(part, page)
            self.assertNotIn("http://", page.replace("http://www.w3.org/2000/svg", ""))
            self.assertNotIn("https://", page)

    def test_schedules_of_a_config_over_the_whole_training(self):
        with Folder() as folder:
            plotted = folder.json("plot", DIGITS, "--schedules", "train.epochs=10")
            line = plotted["lines"][0]
            self.assertIn("lr", line["name"])
            self.assertAlmostEqual(0.003, max(line["y"]))
            self.assertEqual(0, line["x"][0])
            steps = line["x"][-1] + 1
            half = line["y"][line["x"].index(50 + (steps - 50) // 2)]
            self.assertTrue(math.isclose(half, 0.0015, rel_tol=0.02), half)

    def test_schedules_of_the_parts_of_a_sum_are_drawn_too(self):
        with Folder() as folder:
            (folder.path / "parts.yaml").write_text(PARTS)
            lines = folder.json("plot", "parts.yaml", "--schedules")["lines"]
            self.assertEqual(["network[3].sum.parts.far"], [line["name"] for line in lines])
            self.assertEqual(0, lines[0]["y"][0])
            self.assertAlmostEqual(1, lines[0]["y"][-1], delta=0.05)


if __name__ == "__main__":
    unittest.main()
