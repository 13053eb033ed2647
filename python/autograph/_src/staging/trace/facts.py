"""What the recordings of a function have found out so far.

    rows.append([])     # `rows` is a list of the graph: each `[]` has to be a row of a table when it is made
    return fib(n - 1)   # `n` is staged: `fib` has to be a function of the graph when it is first called

A recording runs the program once. When it finds that it should have handled an earlier statement
differently, it notes a fact and stops (:class:`~autograph._src.staging.trace.signals.Learned`); the function
is then recorded again with that fact. Facts only grow: from unknown to known, from a type to a wider one. So
the recordings end when the types stop growing; ``restarts.py`` refuses types that grow for ever. See
docs/design/0013-what-a-trace-learns.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from types import CodeType
from typing import Any

import numpy as np

from autograph._src.operators.places import Place
from autograph._src.staging.trace.chosen import Chosen
from autograph._src.staging.trace.object_sites import ObjectSites, Site


class Fact(Enum):
    """The kinds of facts."""

    RECURSION = "which functions are functions of the graph"
    OBJECTS = "what objects are rows of tables, and what the rows hold"
    NODES = "the objects of which classes are walked"
    GENERATORS = "which random generators from outside are drawn from"
    VARIABLES = "the variables are made"
    RESULT = "objects of the result that were there before"
    PLACES = "the places outside that the function writes"
    OPERATORS = "operators call methods that are to be converted"
    STEPS = "the generator functions whose items are taken one by one"
    KEYED = "the places that make dicts and sets whose keys only a run knows"


class Standing(IntEnum):
    """How a recursive function is recorded; each way is tried after the one before it failed."""

    UNROLLED = 0
    OF_THE_GRAPH = 1
    OF_THE_GRAPH_WITH_OBJECTS = 2  # It writes arrays and lists, so each call takes and returns them.
    REFUSED = 3


@dataclass
class Recursion:
    """How recursive functions are recorded.

    Attributes:
        over_plain: Functions that become functions of the graph even where all arguments are plain, because
            variables around them are staged and their plain counters differ from call to call.
        refusals: Why functions cannot be functions of the graph, by their code.
    """

    over_plain: set[CodeType] = field(default_factory=set)
    refusals: dict[CodeType, Exception] = field(default_factory=dict)
    _standings: dict[CodeType, Standing] = field(default_factory=dict)

    def standing(self, code: CodeType) -> Standing:
        """How a function is recorded."""
        return self._standings.get(code, Standing.UNROLLED)

    def is_of_the_graph(self, code: CodeType) -> bool:
        """Whether a function is one of the graph."""
        return self.standing(code) in (Standing.OF_THE_GRAPH, Standing.OF_THE_GRAPH_WITH_OBJECTS)

    def rise(self, code: CodeType, standing: Standing) -> None:
        """Records a function in a later way from now on; it never returns to one that failed."""
        self._standings[code] = max(standing, self.standing(code))

    def refuse(self, code: CodeType, refusal: Exception) -> None:
        """Notes that a function cannot be one of the graph."""
        self.rise(code, Standing.REFUSED)
        self.refusals[code] = refusal


@dataclass
class WalkedNodes:
    """The objects of the arguments that the program walks over, and that therefore become table rows.

    Attributes:
        kinds: The classes whose objects are walked.
        nodes: The objects that are walked.
        others: Objects from around the function that the program compares nodes with.
    """

    kinds: list[type] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    others: list[Any] = field(default_factory=list)


@dataclass
class Facts:
    """What recordings of one function, for arguments of one structure, have found out.

    Attributes:
        recursion: How recursive functions are recorded.
        objects: The places in the program that make objects which are rows of tables.
        nodes: The objects of the arguments that the program walks over.
        generators: The random generators from outside that the function draws from; their streams are inputs.
        has_variables: Whether the function has made its variables, which it does once.
        spells_operators: Whether converted text spells operators out, so that the methods which they call are
            converted too.
        keyed: The places in the program that make dicts and sets whose keys only a run knows.
        stepped: The generator functions whose items several places take.
        chosen: The numbers of the constants that the program chooses among.
        returned: Objects in the result that may have existed before the call or may be new.
        new: What the present recording has found out, or ``None``; with a new fact it is discarded.
        found: How many recordings have ended with a fact of each kind.
    """

    recursion: Recursion = field(default_factory=Recursion)
    objects: ObjectSites = field(default_factory=ObjectSites)
    nodes: WalkedNodes = field(default_factory=WalkedNodes)
    generators: list[np.random.Generator] = field(default_factory=list)
    has_variables: bool = False
    spells_operators: bool = False
    keyed: set[Site] = field(default_factory=set)
    stepped: set[CodeType] = field(default_factory=set)
    chosen: Chosen = field(default_factory=Chosen)
    returned: list[Any] | None = None
    places: list[Place] = field(default_factory=list)
    appended: str | None = None
    looked_at: str | None = None
    table: str | None = None
    new: Fact | None = None
    found: Counter[Fact] = field(default_factory=Counter)

    def begin(self) -> None:
        """Begins a recording that uses what the one before has found out."""
        if self.new is not None:
            self.found[self.new] += 1
        self.new = None

    def forget_program(self) -> None:
        """Forgets all facts that depend on how arguments are passed in, because that has changed."""
        self.recursion, self.objects, self.nodes = Recursion(), ObjectSites(), WalkedNodes()
        self.generators, self.has_variables, self.returned = [], False, None
        self.keyed = set()
