"""The memory of results: aligned, used again, and never that of an array that lives."""

import gc
import pickle
import threading
import tracemalloc

import autograph as ag
import numpy as np
import pytest

SIZES = (8192, 10_000, 100_000, 300_001)


@ag.function
def doubled(x):
    return x * 2


@ag.function
def both(x):
    return x * 2, x + 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
def test_large_results_are_aligned_for_vectors(size, dtype):
    x = np.arange(size).astype(dtype)
    result = doubled(x)
    np.testing.assert_array_equal(result, x * 2)
    assert result.flags.owndata
    if dtype != "complex128":  # NumPy puts their two parts together.
        assert result.ctypes.data % 64 == 0


def test_memory_that_is_freed_is_used_again_and_that_of_living_arrays_is_not(only_new_garbage):
    living, places = [], set()
    for step in range(60):
        x = np.full(20_000, float(step))
        result = doubled(x)
        places.add(result.ctypes.data)
        if step % 3 == 0:
            living.append((step, result, result[5_000:]))
        del result
        gc.collect()
    assert len({whole.ctypes.data for _, whole, _ in living}) == len(living)
    assert len(places) < 40
    for step, whole, view in living:
        assert (whole == 2.0 * step).all()
        assert (view == 2.0 * step).all()


def test_a_view_keeps_the_memory_of_its_result():
    view = doubled(np.ones(50_000))[10:20]
    for _ in range(5):
        doubled(np.zeros(50_000))
    assert (view == 2.0).all()


def test_several_results_of_a_call_are_apart():
    for size in SIZES:
        a, b = both(np.ones(size))
        a[:] = 7.0
        assert (b == 2.0).all()


@pytest.mark.parametrize("size", [20_000, 40_000, 100])
def test_a_result_can_be_resized(size):
    result = doubled(np.arange(30_000.0))
    result.resize(size, refcheck=False)
    kept = min(size, 30_000)
    np.testing.assert_array_equal(result[:kept], 2 * np.arange(float(kept)))
    assert (result[kept:] == 0).all()


def test_copies_and_pickles_are_numpy_s_own():
    result = doubled(np.arange(30_000.0))
    for other in (result.copy(), pickle.loads(pickle.dumps(result)), result + 0, np.array(result)):
        assert not np.shares_memory(other, result)
        np.testing.assert_array_equal(other, result)


def test_threads_get_memory_of_their_own():
    failed = []

    def work(number):
        for step in range(50):
            x = np.full(15_000 + number, float(number + step))
            if not (doubled(x) == 2.0 * (number + step)).all():
                failed.append((number, step))

    for number in range(4):
        doubled(np.zeros(15_000 + number))
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_numpy_allocates_as_before_after_a_call():
    name = np._core.multiarray.get_handler_name
    before = name(np.empty(100_000))
    doubled(np.ones(100_000))
    assert name(np.empty(100_000)) == before


def test_tracemalloc_sees_results(only_new_garbage):
    x = np.ones(1_000_000)
    doubled(x)
    tracemalloc.start()
    try:
        result = doubled(x)
        assert tracemalloc.get_traced_memory()[0] >= result.nbytes
        del result
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < x.nbytes
    finally:
        tracemalloc.stop()
