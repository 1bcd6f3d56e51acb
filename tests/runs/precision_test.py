"""Training in bfloat16: the same bits again, after a stop, and beside any number of workers; as accurate as float32."""
import unittest

from hearth_program import DIGITS, Folder

BFLOAT16 = "precision=bfloat16"


class Precision(unittest.TestCase):
    def test_gives_the_same_bits_for_any_number_of_workers_and_after_a_resume(self):
        with Folder() as folder:
            words = ("train", DIGITS, BFLOAT16, "optimizer={adamw: {lr: 0.002}}")
            whole = [folder.json(*words, "train.epochs=4", f"data.workers={n}") for n in (0, 2)]
            self.assertEqual(whole[0]["state_sha256"], whole[1]["state_sha256"])
            part = folder.json(*words, "train.epochs=2", "data.workers=1")
            rest = folder.json("train", "--resume", part["run"], "train.epochs=4", "--accept-changes")
            self.assertEqual(whole[0]["state_sha256"], rest["state_sha256"])
            float32 = folder.json(*words, "train.epochs=4", "precision=float32")
            self.assertNotEqual(float32["weights_sha256"], whole[0]["weights_sha256"])

    def test_is_as_accurate_and_is_part_of_what_predicts(self):
        with Folder() as folder:
            float32, rounded = (folder.json("train", DIGITS, *words) for words in ((), (BFLOAT16,)))
            accuracy = [report["metrics"]["eval/accuracy"] for report in (float32, rounded)]
            self.assertAlmostEqual(accuracy[0], accuracy[1], delta=0.007)  # two of 359 pictures
            again = folder.json("evaluate", rounded["run"])
            self.assertGreaterEqual(again["metrics"]["eval/accuracy"], accuracy[1])  # of the best weights
            self.assertIn("precision: bfloat16", (folder.path / rounded["run"] / "config.yaml").read_text())

    def test_says_what_it_does_and_where_it_is_not_faster(self):
        with Folder() as folder:
            self.assertIn("note: precision: bfloat16: the factors of products", folder.run("check", DIGITS, BFLOAT16).stdout)
            for unit in ("avx512", "avx2", "off"):
                done = folder.run("check", DIGITS, BFLOAT16, environment={"HEARTH_VECTOR_UNIT": unit})
                self.assertIn("this processor has no instructions for bfloat16", done.stderr, unit)
            older = folder.json("train", DIGITS, BFLOAT16, "train.epochs=8", environment={"HEARTH_VECTOR_UNIT": "avx512"})
            newer = folder.json("train", DIGITS, BFLOAT16, "train.epochs=8")
            self.assertAlmostEqual(older["metrics"]["eval/accuracy"], newer["metrics"]["eval/accuracy"], delta=0.02)


if __name__ == "__main__":
    unittest.main()
