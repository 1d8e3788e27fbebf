#!/usr/bin/env python3
"""A small model of the scheduler of docs/cluster.md: what 10 to 1,000 nodes would take, from figures measured
on one machine (`--verbose` under mpirun prints them).

Rank 0 hands out blocks, lowest first, one ahead for each rank; results go through its network and its journal
one after the other. Simulated block by block: a rank starts its next block when it ends one, since the next lies
ready, unless rank 0 is behind; rank 0 serves requests in the order of their arrival.
"""
import argparse
import heapq

class Workload:
    """Blocks; seconds of one core for a block, and for the longest; bytes of a result on its way through rank 0;
    seconds of rank 0 for a block: message, checksum, journal, reduction."""

    def __init__(self, text, blocks, core_s, longest_s, result_bytes, serve_s):
        self.text = text
        self.blocks = blocks
        self.core_s = core_s
        self.longest_s = longest_s
        self.result_bytes = result_bytes
        self.serve_s = serve_s


# Processor times of a build with -O1; of two methods (certified, cubic) for verify, of three (and tight-inclusion)
# for bench. The longest block: three times the mean but for the set, whose files are of two kinds. 5 ms to write
# the manifest anew is an assumption, all else is measured.
MEASURED = [
    # Blocks of 440 queries where there are few, of 15,400 here.
    Workload("verify, a billion queries", 64_936, 0.041 * 35, 0.12 * 35, 854, 75e-6),
    Workload("truth of the full set", 58_928, 0.054, 0.16, 25_734, 239e-6),
    Workload("bench of the full set", 88_476, 0.0093, 0.03, 169_813, 647e-6),
    Workload("generate --set full", 1_394, 9.4, 13.2, 400, 5e-3),
]

START_S = 3.0  # of MPI and of the program, on any number of ranks
BANDWIDTH = 3e9  # bytes per second into rank 0: 25 Gbit/s
LATENCY_S = 5e-6
EFFICIENCY_OF_THREADS = 0.85  # of the threads of a rank within a block


def simulate(work, ranks, threads):
    """Seconds until the last block is reduced, and the fraction of them that rank 0 was busy."""
    speed = threads * EFFICIENCY_OF_THREADS if threads > 1 else 1.0
    serve = work.serve_s + LATENCY_S + work.result_bytes / BANDWIDTH
    mean = work.core_s / speed
    longest = work.longest_s / speed
    # Too many blocks to go through one by one: groups of equal blocks, served together.
    group = max(1, work.blocks // 200_000)
    blocks = -(-work.blocks // group)
    # One block in a hundred is as long as the longest, the others share the rest.
    other = max((mean - 0.01 * longest) / 0.99, mean / 10)

    def length(i):
        return (longest if i % 100 == 50 else other) * group

    running = [length(i) for i in range(min(ranks, blocks))]  # when they end
    heapq.heapify(running)
    begun = len(running)
    server = 0.0
    while running:
        done = heapq.heappop(running)
        server = max(server, done) + serve * group
        if begun < blocks:
            # The next block lies ready: a rank waits only where rank 0 is more than a block behind.
            start = max(done, server - mean * group)
            heapq.heappush(running, start + length(begun))
            begun += 1
    busy = blocks * serve * group
    end = server
    return end, busy / end


def row(work, nodes, ranks_per_node, threads):
    ranks = nodes * ranks_per_node
    seconds, busy = simulate(work, ranks, threads)
    total = seconds + START_S
    ideal = work.blocks * work.core_s / (ranks * threads)
    if work.blocks < 2 * ranks:
        bottleneck = "fewer than two blocks for each rank"
    elif busy > 0.8:
        bottleneck = "rank 0: results"
    elif START_S > 0.3 * total:
        bottleneck = "start"
    elif total * threads * ranks * EFFICIENCY_OF_THREADS > 1.25 * work.blocks * work.core_s:
        bottleneck = "the longest blocks at the end"
    else:
        bottleneck = "threads within a block"
    return total, ideal / total, busy, bottleneck


def duration(seconds):
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks-per-node", type=int, default=8)
    parser.add_argument("--threads", type=int, default=8, help="of a rank")
    options = parser.parse_args()
    print("| work | nodes | cores | time | efficiency | rank 0 busy | bottleneck |")
    print("|---|---|---|---|---|---|---|")
    for work in MEASURED:
        for nodes in (10, 30, 100, 300, 1000):
            total, efficiency, busy, bottleneck = row(work, nodes, options.ranks_per_node, options.threads)
            cores = nodes * options.ranks_per_node * options.threads
            print(f"| {work.text} | {nodes} | {cores:,} | {duration(total)} | {efficiency:.2f} | {busy:.0%} | {bottleneck} |")


if __name__ == "__main__":
    main()
