"""Calls of builtins and of methods of lists with arguments that they do not take: CPython's words."""

from __future__ import annotations

from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import is_refused, module_of, outcome

CALLS = (
    *(
        "zs.append()",
        "zs.append(1, 2)",
        "zs.append(value=x)",
        "zs.append(*[])",
        "zs.pop(1, 2)",
        "zs.insert(1)",
    ),
    *("zs.extend()", "zs.index()", "zs.index(x, 1, 2, 3)", "zs.count()", "zs.remove()", "zs.clear(1)"),
    *("zs.copy(1)", "zs.reverse(1)", "zs.sort(1)", "zs.sort(first=1)", "zs.__len__(1)", "list.append(zs)"),
    *("list.append()", "len()", "len(zs, 1)", "abs()", "float(1, 2)", "range()", "min()", "max(zs, first=1)"),
    *("sum()", "sorted()", "enumerate()", "zip(zs, first=1)", "isinstance(x)", "round()", "int(x, 2)"),
    *("int(x, 2, 3)", "zs()", "x()", "np.add(1)", "np.sum()", "np.tanh()", "x.item(1, 2, 3)"),
)
MAKERS = {"literal": "zs = [x]", "grown": "zs = []\n    for _ in range(7):\n        zs.append(x)"}


@pytest.mark.parametrize("maker", MAKERS)
def test_calls(maker: str, tmp_path: Path) -> None:
    functions = [
        f"def f{number}(x):\n    {MAKERS[maker]}\n    return {call}\n" for number, call in enumerate(CALLS)
    ]
    module = module_of("import numpy as np\n\n\n" + "".join(functions), tmp_path, f"misfits_{maker}")
    different = []
    for number, call in enumerate(CALLS):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for x in (2.5, np.float64(2.5), np.ones(2)):
            want, got = outcome(function, (x,)), outcome(staged, (x,))
            if want != got and not is_refused(staged, (x,)):
                different.append((call, x, want, got))
    assert not different
