"""Caches never change results: kept in memory or on disk, by one run or by the next."""
import unittest

from hearth_program import DIGITS, SMALL, Folder, events

CACHES = ("none", "memory", "disk", "disk", "auto")


class Cache(unittest.TestCase):
    def test_every_cache_gives_the_same_weights_and_log(self):
        with Folder() as folder:
            reports = [folder.json("train", DIGITS, *SMALL, f"data.cache={cache}", f"data.workers={i % 3}")
                       for i, cache in enumerate(CACHES)]
            self.assertEqual(1, len({report["state_sha256"] for report in reports}))
            logs = [events(folder.path / report["run"]) for report in reports]
            self.assertTrue(all(log == logs[0] for log in logs))
            self.assertEqual(2, len(list(folder.path.glob("cache/*.samples"))), "one of train and one of eval")

    def test_check_says_where_and_how_much(self):
        with Folder() as folder:
            text = folder.run("check", DIGITS, "data.cache=auto", "data.memory=10MB").stdout
            self.assertIn("cache of train: in memory: 1,440 samples x 272 B after normalize = 382.5 KiB", text)
            self.assertIn("source of train: keeps 114.1 KiB in memory", text)
            self.assertIn("batches of train: ", text)
            done = folder.run("check", DIGITS, "data.memory=10kB", ok=False)
            self.assertIn("data.memory: leaves ", done.stderr)

    def test_batches_may_have_the_memory_that_no_cache_takes(self):
        with Folder() as folder:
            in_memory = folder.run("check", DIGITS, "data.cache=memory", "data.memory=384kB", ok=False)
            self.assertIn("data.memory: leaves ", in_memory.stderr)
            on_disk = folder.run("check", DIGITS, "data.cache=disk", "data.memory=384kB").stdout
            self.assertIn("batches of train: 1 ahead", on_disk)


if __name__ == "__main__":
    unittest.main()
