"""Same config and seed, same bits: for any number of workers, however threads wait, and from YAML as from C++."""
import os
import subprocess
import unittest

from hearth_program import DIGITS, EVERYTHING, SMALL, SOURCE, Folder, events

EXAMPLES = SOURCE / "examples"


class SameBits(unittest.TestCase):
    def test_any_number_of_workers_gives_the_same_weights_and_log(self):
        with Folder() as folder:
            reports = [folder.json("train", DIGITS, *SMALL, f"data.workers={n}") for n in (0, 1, 2, 4)]
            self.assertEqual(1, len({report["state_sha256"] for report in reports}))
            logs = [events(folder.path / report["run"]) for report in reports]
            self.assertTrue(all(log == logs[0] for log in logs))
            self.assertGreater(len(logs[0]), 40)

    def test_everything_at_once_gives_the_same_weights_and_log_for_any_number_of_workers(self):
        with Folder() as folder:
            reports = [folder.json("train", EVERYTHING, f"data.workers={n}") for n in (0, 1, 2, 4)]
            self.assertEqual(1, len({report["state_sha256"] for report in reports}))
            logs = [events(folder.path / report["run"]) for report in reports]
            self.assertTrue(all(log == logs[0] for log in logs))

    def test_values_of_any_size_and_ops_on_batches_give_the_same_weights_for_any_number_of_workers(self):
        with Folder() as folder:
            for name in ("mixup", "shapes", "progressive"):
                reports = [folder.json("train", str(EXAMPLES / f"{name}.yaml"), "train.epochs=2", f"data.workers={n}")
                           for n in (0, 1, 4)]
                self.assertEqual(1, len({report["state_sha256"] for report in reports}), name)
                logs = [events(folder.path / report["run"]) for report in reports]
                self.assertTrue(all(log == logs[0] for log in logs), name)

    def test_threads_that_spin_sleep_or_keep_together_give_the_same_weights(self):
        with Folder() as folder:
            reports = [folder.json("train", DIGITS, "train.epochs=2", environment={"HEARTH_WAITING": waiting})
                       for waiting in ("spin", "sleep", "together", "")]
            self.assertEqual(1, len({report["state_sha256"] for report in reports}))
            done = folder.run("train", DIGITS, environment={"HEARTH_WAITING": "nap"}, ok=False)
            self.assertIn("HEARTH_WAITING in the environment must be spin, sleep or together, but is 'nap'", done.stderr)

    def test_another_seed_gives_other_weights(self):
        with Folder() as folder:
            first, second = (folder.json("train", DIGITS, *SMALL, f"seed={seed}") for seed in (0, 1))
            self.assertNotEqual(first["weights_sha256"], second["weights_sha256"])

    def test_yaml_and_cpp_give_the_same_weights_and_accuracy(self):
        with Folder() as folder:
            report = folder.json("train", DIGITS)
            done = subprocess.run([os.environ["HEARTH_DIGITS_EXAMPLE"]], cwd=folder.path, text=True,
                                  capture_output=True, check=True)
            printed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
            self.assertEqual(report["weights_sha256"], printed["weights"])
            self.assertGreaterEqual(report["metrics"]["eval/accuracy"], 0.975)
            # The library puts all cores to work without the program's front.
            self.assertIn("run", printed)


if __name__ == "__main__":
    unittest.main()
