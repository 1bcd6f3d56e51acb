"""Launchers that are not ours, and ours: whoever starts the ranks, they give the weights of one process.
With HEARTH_LAUNCHERS=all also those that take longer to set up, as tools/soak does: torchrun itself, and Slurm on this host."""
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from hearth_program import HEARTH
from rank_processes import RankProcesses, await_true, digest_of, free_port, write_experiment

EPOCHS = 3
LONG_EPOCHS = 100
TRAIN = ["train", "ranks.yaml", "--json"]
IS_WHOLE = os.environ.get("HEARTH_LAUNCHERS") == "all"
# Where Debian has it; another Python may come first in PATH.
TORCHRUN = "/usr/bin/torchrun"
SLURM_PARTS = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "scontrol")
SLURM = """
ClusterName=hearth
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/daemon.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SlurmdParameters=config_overrides
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
FirstJobId={first}
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE
"""


def run(words, folder, **variables):
    done = subprocess.run(words, cwd=folder, text=True, capture_output=True, timeout=200, check=False,
                          env={**os.environ, **variables})
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Slurm:
    """A cluster of this host alone."""

    def __init__(self, folder):
        self.folder, self.processes = pathlib.Path(folder), []
        self.host = socket.gethostname().split(".")[0]
        self.variables = {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def start(self, *words):
        log = open(self.folder / f"{words[0]}.log", "w")
        self.processes.append(subprocess.Popen(words, cwd=self.folder, stdout=log, stderr=log, env={**os.environ, **self.variables}))
        log.close()

    def __enter__(self):
        try:
            self.start_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_all(self):
        munge = self.folder / "munge"
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(mode=0o700)
        (munge / "key").write_bytes(os.urandom(1024))
        (munge / "key").chmod(0o400)
        (self.folder / "slurm.conf").write_text(
            SLURM.format(host=self.host, folder=self.folder, controller=free_port(), daemon=free_port(),
                         first=random.randrange(1, 9000)))
        self.start("munged", "-F", "--force", *(f"--{part}-file={munge / part}" for part in ("key", "pid", "log", "seed")),
                   f"--socket={munge / 'socket'}")
        await_true("munge", (munge / "socket").exists, 20)
        self.start("slurmctld", "-D", "-f", self.variables["SLURM_CONF"])
        self.start("slurmd", "-D", "-f", self.variables["SLURM_CONF"])
        try:
            await_true("a node", lambda: "idle" in self.say("sinfo", "-h", "-o", "%T"), 40)
        except AssertionError:
            raise AssertionError(f"no node is there\n{self.say('sinfo')}{self.logs()}") from None

    def __exit__(self, *_):
        if len(self.processes) == 3:  # jobs would outlive it
            self.say("scancel", "--user", "root")
            await_true("an end of all jobs", lambda: not self.say("squeue", "-h").strip(), 60)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()

    def logs(self):
        return "".join(path.read_text() for path in self.folder.glob("*.log"))

    def say(self, *words, folder=None):
        return subprocess.run(words, cwd=folder or self.folder, text=True, capture_output=True, check=False, timeout=100,
                              env={**os.environ, **self.variables}).stdout


def hindrance_of_slurm():
    missing = [name for name in SLURM_PARTS if not shutil.which(name)]
    if missing:
        return f"{', '.join(missing)} not installed"
    return "" if os.geteuid() == 0 else "needs root"


class Launchers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.truths = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def truth(self, epochs):
        if epochs not in self.truths:
            with tempfile.TemporaryDirectory() as folder:
                write_experiment(folder, epochs)
                self.truths[epochs] = digest_of(run([HEARTH, *TRAIN], folder).stdout)
        return self.truths[epochs]

    def check(self, digest, text, contract, epochs=EPOCHS):
        self.assertIn(contract, text)
        self.assertEqual(self.truth(epochs), digest)
        print(f"{contract}: the weights of one process", file=sys.stderr, flush=True)

    def launched(self, words, contract, **variables):
        write_experiment(self.folder, EPOCHS)
        done = run([*words, HEARTH, *TRAIN], self.folder, **variables)
        self.check(digest_of(done.stdout), done.stderr, contract)

    def skip_if(self, reason):
        if reason:
            print(f"skipped: {reason}", file=sys.stderr, flush=True)
            self.skipTest(reason)

    def test_our_own(self):
        write_experiment(self.folder, EPOCHS)
        done = run([HEARTH, "launch", "-n", "2", *TRAIN], self.folder)
        self.check(digest_of(done.stdout), done.stderr, "by hearth launch")

    def test_the_variables_of_torchrun(self):
        write_experiment(self.folder, EPOCHS)
        group = RankProcesses(self.folder, TRAIN, variables={"TORCHELASTIC_RUN_ID": "test"})
        self.addCleanup(group.end)
        self.assertEqual([0, 0], group.await_end(100), group.texts())
        self.check(group.digest(), group.text(0), "by torchrun (RANK=0, WORLD_SIZE=2)")

    def test_mpirun(self):
        self.skip_if("" if shutil.which("mpirun") else "mpirun is not installed")
        self.launched(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"], "by Open MPI")

    @unittest.skipUnless(IS_WHOLE, "takes long")
    def test_torchrun_which_keeps_the_store(self):
        self.skip_if("" if os.path.exists(TORCHRUN) else "torchrun is not installed")
        # Its default of what to redirect, 0, is nothing that torch 1.13 understands under Python 3.11.
        own = ["--redirects", "1:1", "--tee", "1:1"]
        self.launched([TORCHRUN, "--standalone", "--no_python", *own, "--nproc_per_node", "2"], "by torchrun (RANK=0, WORLD_SIZE=2)")

    @unittest.skipUnless(IS_WHOLE, "takes long")
    def test_srun(self):
        self.skip_if(hindrance_of_slurm())
        with tempfile.TemporaryDirectory() as cluster, Slurm(cluster) as slurm:
            self.launched(["srun", "-n", "2"], "by Slurm", **slurm.variables)

    @unittest.skipUnless(IS_WHOLE, "takes long")
    def test_a_slurm_job_that_is_requeued_goes_on(self):
        self.skip_if(hindrance_of_slurm())
        write_experiment(self.folder, LONG_EPOCHS)
        job = run([HEARTH, "launch", "-n", "2", "--print", "slurm", *TRAIN], self.folder).stdout
        (self.folder / "job").write_text(job)
        with tempfile.TemporaryDirectory() as cluster, Slurm(cluster) as slurm:
            # The path of the program as a login would have it.
            slurm.variables["PATH"] = f"{pathlib.Path(HEARTH).parent}:{os.environ['PATH']}"
            number = slurm.say("sbatch", "--parsable", "--open-mode=append", "-o", "job.out", "job", folder=self.folder).strip()
            output = self.folder / "job.out"

            def said():
                return output.read_text() if output.exists() else ""
            try:
                await_true("a checkpoint", lambda: list(self.folder.glob("runs/*/checkpoints/step-*.safetensors")), 60)
                slurm.say("scontrol", "requeue", number)
                # Slurm would let two minutes pass.
                await_true("a new start", lambda: "PENDING" in slurm.say("scontrol", "show", "job", number), 60)
                slurm.say("scontrol", "update", f"jobid={number}", "StartTime=now")
                await_true("an end of its second start", lambda: '"stop_reason":""' in said(), 200)
            except AssertionError as error:
                self.fail(f"{error}\n{said()}\n{slurm.say('scontrol', 'show', 'job', number)}{slurm.logs()}")
            self.assertEqual(1, len(list(self.folder.glob("runs/*"))))
            lines = [line for line in said().splitlines() if '"state_sha256"' in line]
            self.check(digest_of(lines[-1]), said(), "by Slurm", LONG_EPOCHS)


if __name__ == "__main__":
    unittest.main()
