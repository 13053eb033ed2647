"""Prints what CPython's code objects say of the functions of files, for the test of the scopes.

First the version; then for each file its path, and for each `def` in it: line, name, free variables, cell
variables and all own variables, by tabs, each list sorted and joined by commas.
"""

import pathlib
import sys
import sysconfig
import types
import warnings


def functions(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if not constant.co_name.startswith("<") and constant.co_flags & 2:
                yield constant
            yield from functions(constant)


def main():
    warnings.simplefilter("ignore")
    print(f"{sys.version_info[0]}.{sys.version_info[1]}")
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    paths = sorted([*root.glob("*.py"), *root.glob("test/test_*scope*.py"), *root.glob("test/test_gram*.py")])
    for path in paths:
        code = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
        print(path)
        for c in functions(code):
            lists = (c.co_freevars, c.co_cellvars, {*c.co_varnames, *c.co_cellvars})
            print(c.co_firstlineno, c.co_name, *(",".join(sorted(names)) for names in lists), sep="\t")


main()
