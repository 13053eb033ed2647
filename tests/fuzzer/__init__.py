"""Random programs: CPython is the judge of what converted and staged code may do.

`writer.py` writes pure-Python programs and `numeric.py` programs over NumPy, `ways.py` runs them in
every way the package has, `outcome.py` says what a run did, `shrink.py` makes a failure small.

    PYTHONPATH=tests python -m fuzzer --count 1000 --seed 0 --jobs 2

A program that the package refuses (`ag.AutographError` with a code and a location) is counted; every
other difference is a failure.
"""
