"""Elastic runs: what is left goes on from the last checkpoint, what comes back is taken in, and the bits stay.
With HEARTH_ELASTIC=all over hosts as well, which are network namespaces: tools/soak runs that."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from hearth_program import HEARTH
from rank_processes import Launch, await_true, digest_of, without_namespaces, write_experiment

TRAIN = ["train", "ranks.yaml", "--json"]


class Elastic(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, limits, epochs):
        """An experiment of four shards, and what one process makes of it."""
        write_experiment(self.folder, epochs, shards=4)
        config = self.folder / "ranks.yaml"
        config.write_text(config.read_text() + f"elastic: {limits}\n")
        done = subprocess.run([HEARTH, *TRAIN], cwd=self.folder, text=True, capture_output=True, check=True, timeout=300)
        subprocess.run(["rm", "-r", "runs"], cwd=self.folder, check=True)
        return digest_of(done.stdout)

    def launch(self, *words, **more):
        launch = Launch(self.folder, *words, *TRAIN, **more)
        self.addCleanup(launch.end)
        return launch

    def await_ranks(self, launch, count, seconds=60):
        """At work, with a checkpoint of their own."""
        def said():
            if launch.process.poll() is not None:
                self.fail(f"it ended with {launch.process.returncode}\n{launch.text()}")
            return len(launch.ranks()) == count
        await_true(f"{count} ranks", said, seconds, launch.text)
        before = launch.checkpoints()
        await_true(f"a checkpoint", lambda: launch.checkpoints() - before, seconds, launch.text)
        return launch.ranks()

    def test_ranks_of_one_host_that_are_lost_come_back(self):
        truth = self.write("{min: 2, max: 3, rejoin: 1}", 60)
        launch = self.launch()
        os.kill(self.await_ranks(launch, 3)[1], signal.SIGKILL)
        await_true("fewer", lambda: "starting again with 2 ranks" in launch.text(), 30, launch.text)
        await_true("more", lambda: "there may be 3 ranks again" in launch.text(), 30, launch.text)
        await_true("all", lambda: len(launch.ranks()) == 3, 30, launch.text)
        self.assertEqual(0, launch.process.wait(200), launch.text())
        self.assertIn("rank 1 was ended by a signal (9", launch.text())
        self.assertEqual(truth, launch.digest())

    def test_a_run_without_shards_has_those_of_all_that_may_come(self):
        write_experiment(self.folder, 1)
        config = self.folder / "ranks.yaml"
        config.write_text(config.read_text().replace("shards: 2\n", "") + "elastic: {min: 1, max: 3}\n")
        alone = subprocess.run([HEARTH, *TRAIN], cwd=self.folder, text=True, capture_output=True, check=True, timeout=60)
        all_three = subprocess.run([HEARTH, "launch", *TRAIN], cwd=self.folder, text=True, capture_output=True, check=True,
                                   timeout=60)
        self.assertEqual(digest_of(alone.stdout), digest_of(all_three.stdout))

    def test_numbers_that_cannot_be_are_refused(self):
        write_experiment(self.folder, 1)
        for words, part in ((["elastic={min: 3, max: 2}"], "min is 3, but max is 2"),
                            (["elastic={min: 2}"], "max")):
            for start in ([HEARTH], [HEARTH, "launch"]):
                done = subprocess.run([*start, *TRAIN, *words], cwd=self.folder, text=True, capture_output=True, check=False,
                                      timeout=60)
                self.assertEqual(2, done.returncode, done.stderr)
                self.assertIn(part, done.stderr)
        for words, part in ((["-n", "3", "--elastic", "1:2"], "is another number"),
                            (["--elastic", "2:4", "--hosts", "a,b", "--node-rank", "0"], "--logs")):
            done = subprocess.run([HEARTH, "launch", *words, *TRAIN], cwd=self.folder, text=True, capture_output=True, check=False,
                                  timeout=60)
            self.assertEqual(2, done.returncode, done.stderr)
            self.assertIn(part, done.stderr)

    @unittest.skipUnless(os.environ.get("HEARTH_ELASTIC") == "all", "takes long")
    def test_a_host_that_is_lost_comes_back(self):
        reason = without_namespaces()
        if reason:
            print(f"elastic hosts: skipped: {reason}", file=sys.stderr)
            self.skipTest(reason)
        truth = self.write("{min: 2, max: 4, rejoin: 2}", 120)
        (self.folder / "key").write_text("a secret of this test")
        hosts = [Host(number) for number in range(4)]
        for host in hosts:
            self.addCleanup(host.remove)
        names = ",".join(host.address for host in hosts)

        def start(host):
            return self.launch("--hosts", names, "--node-rank", str(host.number), "--secret-file", "key", "--logs", "logs",
                               before=["ip", "netns", "exec", host.name])
        launches = [start(host) for host in hosts]
        self.await_round(launches[1], "0 1 2 3")
        self.await_progress(launches[1])
        launches[0].lose()  # rank 0, the store, and who called the round
        self.await_round(launches[1], "1 2 3")
        self.await_progress(launches[1])
        launches[2].lose()
        self.await_round(launches[1], "1 3")
        self.await_progress(launches[1])
        launches[0] = start(hosts[0])
        self.await_round(launches[1], "0 1 3")
        self.await_progress(launches[1])
        launches[2] = start(hosts[2])
        self.await_round(launches[1], "0 1 2 3")
        for launch in launches:
            self.assertEqual(0, launch.process.wait(300), launch.text())
        self.assertEqual(truth, launches[0].digest())
        print("elastic hosts: 4, 3, 2, 3, 4 of them, the bits of one process", file=sys.stderr)

    def await_round(self, launch, numbers):
        wanted = "has the hosts " + ", ".join(f"10.98.0.{int(number) + 1}" for number in numbers.split())

        def said():
            if launch.process.poll() is not None:
                self.fail(f"it ended with {launch.process.returncode}\n{launch.text()}")
            lines = [line for line in launch.text().splitlines() if "has the hosts" in line]
            return lines and lines[-1].endswith(wanted)
        await_true(f"a round that {wanted}", said, 90, launch.text)

    def await_progress(self, launch):
        before = launch.checkpoints()
        await_true("a checkpoint", lambda: launch.checkpoints() - before, 60, launch.text)


class Host:
    """A network namespace at a bridge."""

    def __init__(self, number):
        self.number, self.name, self.address = number, f"hearth_h{number}", f"10.98.0.{number + 1}"
        link, end = f"hearth_l{number}", f"hearth_e{number}"
        if number == 0:
            self.ip("link", "add", "hearth_br", "type", "bridge")
            self.ip("link", "set", "hearth_br", "up")
        self.ip("netns", "add", self.name)
        self.ip("link", "add", link, "type", "veth", "peer", "name", end, "netns", self.name)
        self.ip("link", "set", link, "master", "hearth_br", "up")
        for words in (("addr", "add", f"{self.address}/24", "dev", end), ("link", "set", end, "up"), ("link", "set", "lo", "up")):
            self.ip("-n", self.name, *words)

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True)

    def remove(self):
        subprocess.run(["ip", "netns", "del", self.name], check=False)
        if self.number == 0:
            subprocess.run(["ip", "link", "del", "hearth_br"], check=False)


if __name__ == "__main__":
    unittest.main()
