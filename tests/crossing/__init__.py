"""Everything crossed with everything: kinds of values, ways to make them, places to put them, consumers.

A case is one small program, which is run under CPython and as one `ag.function` object, with inputs that
take each path, run no iteration, and have another dtype or shape. Whatever can be seen has to be the same:
value, type, dtype, identity, output, exceptions, and the arguments afterwards; or the program is refused by a
code of the catalogue. Nothing here is written with an eye on what is supported.

    python -m crossing --count 2000 --seed 1     # so many cases, drawn evenly
    make cross                                   # all of them, and the table of refusals in docs/refusals.md
"""
