"""Killing a run anywhere and resuming ends in the same bits as never having been killed."""
import collections
import os
import random
import shutil
import signal
import time
import unittest

from hearth_program import DIGITS, EVERYTHING, SMALL, SOURCE, Folder, events

KILLS = int(os.environ.get("HEARTH_KILLS", 12))  # tools/soak asks for more
# What is killed, each long enough that most kills fall into the training, and the share of the kills that it gets: all
# that bits hang on, with accumulation, warm-up, a plateau, averages, skipped batches and evaluations; two models against
# each other; a mean of models with statistics of its own; half precision. All save all the time.
GAN = str(SOURCE / "examples" / "gan.yaml")
AVERAGED = str(SOURCE / "tests" / "runs" / "averaged.yaml")
VICTIMS = {
    "everything": (0.5, [EVERYTHING, "train.epochs=40",
                         "train.traces[1].spike.deviations=2"]),  # ten skipped in a row would end it
    "gan": (0.2, [GAN, "data.train={subset: {of: {digits: {split: train}}, until: 0.2}}",
                  "data.eval={subset: {of: {digits: {split: test}}, until: 0.2}}",
                  "models.generator.build.dcgan_generator.width=8", "models.critic.build.dcgan_discriminator.width=8",
                  "train.epochs=12", "train.checkpoint.every=2st"]),
    "averaged": (0.15, [AVERAGED]),
    "bfloat16": (0.15, [AVERAGED, "precision=bfloat16", "train.epochs=20"]),
}


def place_of_kill(run):
    """Where the run was, by what it left."""
    checkpoints = run / "checkpoints"
    if list(checkpoints.glob(".draft*")):
        return "writing a checkpoint"
    return "between two checkpoints" if list(checkpoints.glob("step-*")) else "before the first checkpoint"


class KillAndResume(unittest.TestCase):
    def test_weights_optimizer_and_log_are_those_of_an_uninterrupted_run(self):
        chance = random.Random(int(os.environ.get("HEARTH_KILLS_SEED", 4)))
        left = KILLS
        places = collections.Counter()
        for name, (share, victim) in VICTIMS.items():
            kills = left if name == list(VICTIMS)[-1] else round(KILLS * share)
            left -= kills
            with self.subTest(name), Folder() as folder:
                places += self.kill_and_compare(folder, victim, kills, chance)
        if "HEARTH_KILLS" in os.environ:
            print(f"{sum(places.values())} kills, all went on to the same bits: {dict(places)}", flush=True)

    def kill_and_compare(self, folder, victim, kills, chance):
        truth = folder.json("train", *victim, "name=truth")
        seconds = self.training_seconds(folder, victim)
        attempt = 0
        places = collections.Counter()
        while places.total() < kills:
            attempt += 1
            self.assertLess(attempt, 5 * kills, "the runs end before they can be killed")
            process, run = self.begin(folder, victim, f"victim{attempt}")
            if not self.kill(process, chance.uniform(0, 0.95) * seconds):
                seconds *= 0.9  # it was done already: the machine's pace has changed
                continue
            places[place_of_kill(folder.path / run)] += 1
            # Some runs are killed again while they go on.
            if places.total() % 3 == 0 and places.total() < kills:
                if self.kill(folder.start("train", "--resume", run), chance.uniform(0.1, 0.9) * seconds):
                    places[place_of_kill(folder.path / run) + ", again"] += 1
            report = folder.json("train", "--resume", run)
            self.assertEqual(truth["state_sha256"], report["state_sha256"], f"{victim[0]}, {dict(places)}")
            self.assertEqual(events(folder.path / truth["run"]), events(folder.path / run))
            self.assertEqual([], list((folder.path / run / "checkpoints").glob(".draft*")))
            shutil.rmtree(folder.path / run)
        return places

    def training_seconds(self, folder, victim):
        process, _ = self.begin(folder, victim, "again")
        started = time.monotonic()
        self.assertEqual(0, process.wait())
        return time.monotonic() - started

    @staticmethod
    def begin(folder, victim, name):
        """The process and its run folder, from the moment that it can be resumed."""
        process = folder.start("train", *victim, f"name={name}")
        while process.poll() is None:
            configs = list(folder.path.glob(f"runs/{name}-*/config.yaml"))
            if configs:
                return process, str(configs[0].parent.relative_to(folder.path))
            time.sleep(0.001)
        raise AssertionError(f"{name} ended before its run folder was there")

    @staticmethod
    def kill(process, seconds):
        """True when the process was still at work."""
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL

    def test_a_signal_saves_and_resuming_ends_in_the_same_bits(self):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs this may have ignored it
        with Folder() as folder:
            truth = folder.json("train", DIGITS, *SMALL, "name=truth", "train.epochs=80")
            # A person, and systems that start a job again when it ends with 75.
            for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 75), (signal.SIGUSR1, 75),
                                 (signal.SIGHUP, 129)):
                name = number.name
                process = folder.start("train", DIGITS, *SMALL, f"name={name}", "train.epochs=80")
                # The log is written some tenths of a second after the first step, long before the last one.
                while not any(log.stat().st_size for log in folder.path.glob(f"runs/{name}-*/log.jsonl")):
                    time.sleep(0.01)
                process.send_signal(number)
                self.assertEqual(code, process.wait(timeout=30))
                report = folder.json("train", "--resume")
                self.assertEqual(truth["state_sha256"], report["state_sha256"])
                self.assertEqual(events(folder.path / truth["run"]), events(folder.path / report["run"]))

    def test_a_second_signal_stops_at_once(self):
        slow = ["model={mlp: {hidden: [6000, 6000]}}", "data.batch_size=1400", "train.warm_up=false"]
        with Folder() as folder:
            process, run = self.begin(folder, [DIGITS, *slow], "slow")
            history = folder.path / run / "history.jsonl"
            while not (history.exists() and history.stat().st_size) and process.poll() is None:
                time.sleep(0.001)
            # Both come before the process goes on, so that the step cannot end in between.
            for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
                process.send_signal(number)
            self.assertIn(process.wait(timeout=30), (130, 143))
            self.assertNotIn('"interrupted"', history.read_text())
            self.assertEqual([], list((folder.path / run / "checkpoints").glob("step-*")))

    def test_a_damaged_checkpoint_is_skipped_for_the_one_before(self):
        with Folder() as folder:
            truth = folder.json("train", *VICTIMS["everything"][1])
            checkpoints = sorted((folder.path / truth["run"] / "checkpoints").glob("step-*"))
            self.assertEqual(2, len(checkpoints))
            damaged = bytearray(checkpoints[-1].read_bytes())
            damaged[len(damaged) // 2] ^= 1
            checkpoints[-1].write_bytes(damaged)
            done = folder.run("train", "--resume", truth["run"], "--json")
            self.assertIn("skipped a checkpoint", done.stderr)
            self.assertIn(truth["state_sha256"], done.stdout)


if __name__ == "__main__":
    unittest.main()
