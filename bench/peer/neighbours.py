"""How much of the machine other processes use while a benchmark's command runs."""
import os
import resource
import time

TICKS = os.sysconf("SC_CLK_TCK")
TOLERATED = 0.05  # share of the machine; a round in which others use more is run again
TELLABLE = 10  # per cent: a bench whose rounds spread more than this says so


def busy_seconds():
    """Of all cores since the machine started, with what a hypervisor took away."""
    with open("/proc/stat") as stat:
        user, nice, system, _idle, _wait, irq, softirq, stolen = map(int, stat.readline().split()[1:9])
    return (user + nice + system + irq + softirq + stolen) / TICKS


def own_seconds():
    """Of this process and of the children it has waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def watched(work):
    """What `work()` returns, and the share of the machine that others used meanwhile."""
    busy, own, began = busy_seconds(), own_seconds(), time.time()
    result = work()
    others = (busy_seconds() - busy) - (own_seconds() - own)
    return result, max(0.0, others / (time.time() - began) / os.cpu_count())


def quiet_rounds(work, count):
    """`count` results of `work()`, those with the least going on beside them: a round that was disturbed is run
    again, at most `count` times in all. What a round measured has no say in it. Also the largest share of others
    in the rounds that count, and how many do not."""
    rounds = []
    while len(rounds) < 2 * count and sum(share <= TOLERATED for _, share in rounds) < count:
        rounds.append(watched(work))
    kept = sorted(rounds, key=lambda pair: pair[1])[:count]
    return [result for result, _ in kept], max(share for _, share in kept), len(rounds) - count
