"""Finders: what they suggest can be pasted, what they write was asked for, and a run stays as it is."""
import signal
import time
import unittest

from hearth_program import DIGITS, SMALL, Folder


def contents(folder):
    return {file.relative_to(folder): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


class Find(unittest.TestCase):
    def test_a_rate_is_found_drawn_and_can_be_trained_with(self):
        with Folder() as folder:
            found = folder.json("find", "lr", DIGITS, *SMALL, "--out", "found")
            self.assertEqual(["found/lr.png", "found/lr.svg", "found/lr.json"], found["files"])
            self.assertTrue((folder.path / "found/lr.png").read_bytes().startswith(b"\x89PNG"))
            drawing = (folder.path / "found/lr.svg").read_text()
            for name in ("loss (smoothed)", "suggested", "configured 0.003"):
                self.assertIn(name, drawing)
            self.assertEqual([folder.path / "found"], list(folder.path.iterdir()), "no run is made")
            self.assertGreater(found["suggestion"], 1e-4)
            override = found["optimizers"][0]["override"]
            self.assertTrue(override.startswith("optimizer.adamw.lr.cosine.peak="), override)
            for text in (override, found["optimizers"][0]["cyclic_override"]):
                folder.run("check", DIGITS, *SMALL, text)

    def test_a_run_stays_as_it_is(self):
        with Folder() as folder:
            run = folder.json("train", DIGITS, *SMALL)["run"]
            before = contents(folder.path)
            said = folder.run("find", "lr", run, "--steps", "40")
            self.assertIn("nothing was written", said.stderr)
            self.assertEqual(before, contents(folder.path))

    def test_ctrl_c_leaves_nothing(self):
        with Folder() as folder:
            for seconds in (2, 8, 30):  # a busy machine may not heed signals yet
                process = folder.start("find", "lr", DIGITS, "--steps", "1000000", "--to", "1e-5", "--out", "found")
                time.sleep(seconds)
                process.send_signal(signal.SIGINT)
                if process.wait(timeout=60) != -signal.SIGINT:
                    break
            self.assertEqual(130, process.returncode)
            self.assertEqual([], list(folder.path.iterdir()))


if __name__ == "__main__":
    unittest.main()
