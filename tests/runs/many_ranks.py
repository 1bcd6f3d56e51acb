"""Many ranks on few cores, for long: nothing hangs, nothing leaks. tools/soak runs it.
HEARTH_RANKS and HEARTH_STEPS say how many; 8 and 2,000 if left out."""
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from hearth_program import HEARTH
from rank_processes import Launch, digest_of, write_experiment

RANKS = int(os.environ.get("HEARTH_RANKS", "8"))
STEPS = int(os.environ.get("HEARTH_STEPS", "2000"))
STEPS_OF_AN_EPOCH = 32
TRAIN = ["train", "ranks.yaml", "--json"]
# What a rank may grow by after its first quarter: allocators settle late, a leak of a kilobyte a step would be more.
MAY_GROW = 4 << 10  # kilobytes


def status_of(process):
    """Kilobytes of memory that are its own; open files; threads."""
    folder = pathlib.Path(f"/proc/{process}")
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    return int(status["RssAnon"].split()[0]), len(os.listdir(folder / "fd")), int(status["Threads"])


def step_of(launch):
    return max((int(name[5:13]) for name in launch.checkpoints()), default=0)


class ManyRanks(unittest.TestCase):
    def test_nothing_hangs_and_nothing_leaks(self):
        with tempfile.TemporaryDirectory() as folder:
            write_experiment(folder, -(-STEPS // STEPS_OF_AN_EPOCH), shards=RANKS)
            done = subprocess.run([HEARTH, *TRAIN], cwd=folder, text=True, capture_output=True, check=True, timeout=600)
            subprocess.run(["rm", "-r", "runs"], cwd=folder, check=True)
            launch = Launch(folder, "-n", str(RANKS), *TRAIN)
            self.addCleanup(launch.end)
            seen = self.watch(launch)
            self.assertEqual(0, launch.process.returncode, launch.text())
            self.assertEqual(digest_of(done.stdout), launch.digest())
        self.check(seen)

    def watch(self, launch):
        """(step, status by rank) from time to time. A step that does not come for a minute is a hang."""
        seen, last, since = [], -1, time.monotonic()
        while launch.process.poll() is None:
            step = step_of(launch)
            if step != last:
                last, since = step, time.monotonic()
                try:
                    seen.append((step, {rank: status_of(process) for rank, process in launch.ranks().items()}))
                except OSError:  # it ends
                    break
            self.assertLess(time.monotonic() - since, 60, f"nothing after step {step}\n{launch.text()}")
            time.sleep(0.2)
        launch.process.wait(60)
        return [(step, ranks) for step, ranks in seen if len(ranks) == RANKS and step > 0]

    def check(self, seen):
        settled = [(step, ranks) for step, ranks in seen if step >= STEPS / 4]
        self.assertGreater(len(settled), 3, "too few steps were seen")
        (first, before), (last, after) = settled[0], settled[-1]
        grown = {rank: after[rank][0] - before[rank][0] for rank in after}
        print(f"{RANKS} ranks, steps {first} to {last}: grew by {max(grown.values())} kB at most, of {max(s[0] for s in after.values())}")
        self.assertLess(max(grown.values()), MAY_GROW, grown)
        for what, place in (("files", 1), ("threads", 2)):
            more = {rank: after[rank][place] - before[rank][place] for rank in after}
            self.assertLessEqual(max(more.values()), 2, f"{what}: {more}")


if __name__ == "__main__":
    unittest.main()
