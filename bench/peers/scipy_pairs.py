#!/usr/bin/env python3
"""SciPy's pdist, on one core in double precision.

usage: scipy_pairs.py STEP     (td-bench peers --cpu writes it)
"""

import time

import numpy
import scipy
from scipy.spatial.distance import pdist

import steps


def prepare(work, n):
    values = numpy.random.default_rng(1).random((n, 4))

    def check(result):
        wrong, largest, before = 0, 0.0, 0
        for i in range(n - 1):
            expected = numpy.sqrt(((values[i + 1 :] - values[i]) ** 2).sum(axis=1))
            off = numpy.abs(result[before : before + n - 1 - i] - expected)
            wrong += int((~(off <= 1e-12)).sum())
            largest = max(largest, float(off.max()))
            before += n - 1 - i
        return steps.judge(wrong, n * (n - 1) // 2, largest)

    return lambda: pdist(values), check


def clock(run, rounds):
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return steps.spread(times[1:])


if __name__ == "__main__":
    steps.go_through({"SciPy pdist": prepare}, {"scipy": scipy.__version__, "numpy": numpy.__version__}, clock)
