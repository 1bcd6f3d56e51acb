"""Ways in which gradients travel with less traffic: the same bits again and after a kill, and nearly what exact ones learn."""
import json
import pathlib
import signal
import tempfile
import unittest

from hearth_program import DIGITS, Folder, events
from rank_processes import RankProcesses, await_true, write_experiment

# As they would be chosen for digits, and for the small network of rank_processes.
FOR_DIGITS = {"bfloat16": "bfloat16", "top_k": "{top_k: {share: 0.05, exact_steps: 50}}",
              "power_sgd": "{power_sgd: {rank: 2, exact_steps: 50}}", "local_sgd": "{local_sgd: {steps: 8, exact_steps: 50}}"}
SMALL = {"bfloat16": "bfloat16", "top_k": "{top_k: {share: 0.1, whole_below: 100, exact_steps: 10}}",
         "power_sgd": "{power_sgd: {rank: 1, exact_steps: 10}}", "local_sgd": "{local_sgd: {steps: 7, exact_steps: 10}}"}


class LearnsAsMuch(unittest.TestCase):
    def test_digits_with_less_traffic(self):
        with Folder() as folder:
            words = ["launch", "-n", "2", "train", DIGITS, "train.epochs=20"]
            exact = folder.json(*words)
            for name, exchange in FOR_DIGITS.items():
                with self.subTest(name):
                    report = folder.json(*words, f"exchange={exchange}")
                    self.assertGreater(report["metrics"]["eval/accuracy"], exact["metrics"]["eval/accuracy"] - 0.02)
                    self.assertLess(report["sent_bytes"], 0.75 * exact["sent_bytes"])


class SameBits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_experiment(self.folder, epochs=8)

    def start(self, *words, ranks=2):
        processes = RankProcesses(self.folder, ["train", *words, "--json"], ranks)
        self.addCleanup(processes.end)
        return processes

    def begin(self, name, exchange, *words):
        return self.start("ranks.yaml", f"name={name}", f"exchange={exchange}", *words)

    def finish(self, processes):
        """Digest and log of the run that this is."""
        self.assertEqual([0, 0], processes.await_end(200), processes.texts())
        report = json.loads(pathlib.Path(f"{processes.consoles[0]}.out").read_text().strip().splitlines()[-1])
        return report["state_sha256"], events(self.folder / report["run"])

    def stopped(self, name, exchange, how, *words):
        """The folder of a run that was stopped in its middle, and how its processes ended."""
        processes = self.begin(name, exchange, *words)
        await_true("a checkpoint", lambda: list(self.folder.glob(f"runs/{name}-*/checkpoints/step-*.safetensors")), 60,
                   processes.texts)
        for process in processes.processes:
            process.send_signal(how)
        codes = processes.await_end(60)
        return str(next(self.folder.glob(f"runs/{name}-*"))), codes

    def test_again_and_after_a_kill(self):
        for name, exchange in SMALL.items():
            with self.subTest(name):
                whole = self.finish(self.begin(f"whole_{name}", exchange))
                self.assertEqual(whole, self.finish(self.begin(f"again_{name}", exchange)))
                killed, codes = self.stopped(f"killed_{name}", exchange, signal.SIGKILL)
                self.assertEqual([-9, -9], codes)
                self.assertEqual(whole, self.finish(self.start("--resume", killed)))

    # Where each process is by itself, the others' weights must be kept too.
    def test_stopped_between_two_means(self):
        exchange = "{local_sgd: {steps: 1000}}"
        whole = self.finish(self.begin("whole", exchange, "data.eval=null"))
        run, codes = self.stopped("stopped", exchange, signal.SIGTERM, "data.eval=null")
        self.assertEqual([75, 75], codes)
        self.assertEqual(whole, self.finish(self.start("--resume", run)))

    # The clock decides when it is saved, and must not decide what is learned.
    def test_checkpoints_change_nothing(self):
        exchange = SMALL["local_sgd"]
        whole = self.finish(self.begin("often", exchange))[0]
        self.assertEqual(whole, self.finish(self.begin("seldom", exchange, "train.checkpoint.every=60min"))[0])

    def test_another_number_of_processes(self):
        run, _ = self.stopped("left", SMALL["bfloat16"], signal.SIGKILL)
        alone = self.start("--resume", run, ranks=1)
        self.assertEqual([2], alone.await_end(60))
        self.assertIn("what the gradients of each of 2 processes left for later steps, but there is 1. Go on with 2 "
                      "processes, or begin a new run from its weights.", alone.text(0))
        for name, exchange in {"any": "{bfloat16: {feedback: false}}", "apart": SMALL["local_sgd"]}.items():
            run, _ = self.stopped(name, exchange, signal.SIGKILL)
            alone = self.start("--resume", run, ranks=1)
            self.assertEqual([0], alone.await_end(200), alone.texts())


if __name__ == "__main__":
    unittest.main()
