"""Staged nodes: a node of an argument's tree, as the number of its row in a table.

    tree.value        the item of the column `value` in the row of `tree`
    tree.left         another staged node: the item of the column `left`
    tree is None      row < 0
    tree.total()      the method of the class, converted, with the staged node as `self`

A node may be `None`, which is row -1; the run then raises as CPython does for `None`. Nodes are read only: a
write to a field would have to change the caller's object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from autograph._src.operators.calls import converted_call
from autograph._src.policy import is_generated
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.patterns import register_sequence
from autograph._src.staging.tensors.python_scalars import compare, negate, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.frames import variable_of
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.own_class import own_class
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.staging.trace.restarts import begin_again
from autograph._src.staging.trace.running_operator import ARITHMETIC
from autograph._src.staging.trace.statements import read_attribute, stage_choice

if TYPE_CHECKING:
    from autograph._src.staging.objects.columns import Arrays, Packed
    from autograph._src.staging.objects.tables import Schema


class Forest:
    """The tables of a trace.

    Attributes:
        schema: The schema of the columns.
        columns: The columns with their staged arrays, by field.
        tags: For each row the number of its class, if there are several classes.
    """

    def __init__(self, schema: Schema, tables: list[Arrays], others: list[Any], rows_of_others: Any) -> None:
        self.schema = schema
        self.tags: Any = next(iter(tables[0]), None)
        pairs = zip(schema.columns, tables[1:], strict=True)
        self.columns: dict[str, tuple[Packed, list[Any]]] = {
            column.name: (column, list(arrays)) for column, arrays in pairs
        }
        self._others = {id(one): position for position, one in enumerate(others)}
        self._rows_of_others = rows_of_others

    def may_hold(self, value: object) -> bool:
        """Whether an object from before the call may be one of the nodes."""
        return type(value) in self.schema.kinds and not require_trace().journal.was_created(value)

    def row_of(self, value: object) -> Tensor:
        """The row of an object from around the function, which each call looks up.

        Raises:
            Learned: If calls do not look up this object yet.
        """
        position = self._others.get(id(value))
        if position is None:
            require_trace().facts.nodes.others.append(value)
            begin_again(Fact.NODES)
        index = constant(position, "int64", Form.PYTHON)
        return wrap(emit("gather", self._rows_of_others.read(), [index.read()], 0), Form.PYTHON)

    def root(self, row: Tensor) -> StagedNode:
        """The staged node for an argument."""
        return StagedNode(self, wrap(row.read(), Form.PYTHON))

    def __str__(self) -> str:
        return str(self.schema)


def _classes_in_words(node: StagedNode) -> str:
    """Its classes for a debugger: ``Leaf or Branch``."""
    return " or ".join(kind.__name__ for kind in node.ag_forest.schema.kinds)


@looked_at(lambda node: _classes_in_words(node), lambda node: node.ag_row, lambda node: node.ag_name)
class StagedNode:
    """A node of a table, or ``None``.

    Its own attributes begin with `ag_`, so that they do not hide fields.
    """

    __slots__ = ("__weakref__", "ag_bound", "ag_forest", "ag_name", "ag_row")

    ag_forest: Forest
    ag_row: Tensor
    ag_name: str | None
    ag_bound: Tensor | None
    """For a variable that may be unbound, the staged flag that says whether it is bound."""

    def __init__(self, forest: Forest, row: Tensor, name: str | None = None) -> None:
        object.__setattr__(self, "ag_forest", forest)
        object.__setattr__(self, "ag_row", row)
        object.__setattr__(self, "ag_name", name)
        object.__setattr__(self, "ag_bound", None)

    @property
    def ag_type_name(self) -> str:
        """Its name in messages."""
        return _classes_in_words(self)

    def ag_truth(self) -> Tensor:
        """``bool(node)``."""
        return truth_of_node(self)

    def __getattr__(self, name: str) -> Any:
        return read_attribute(self, name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise refusal_of_write(self, name)

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __getitem__(self, index: Any) -> Any:
        found = special_method(self, "__getitem__")
        return self._fields()[index] if found is None else found(index)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._fields())

    def __len__(self) -> int:
        return len(self._fields())

    def unless_none(self, present: Tensor) -> StagedNode:
        """The node, or ``None`` unless ``present``."""
        none = constant(-1, "int64", Form.PYTHON)
        row = emit("select", present.read(), self.ag_row.read(), none.read())
        return StagedNode(self.ag_forest, wrap(row, Form.PYTHON), self.ag_name)

    def _fields(self) -> tuple[Any, ...]:
        """The elements of a node that is a ``NamedTuple``."""
        kinds: tuple[Any, ...] = self.ag_forest.schema.kinds
        if len(kinds) == 1 and is_named_tuple(kinds[0]):
            return tuple(getattr(self, name) for name in kinds[0]._fields)
        raise staging_error("AG120", f"{called(self)} is used as a sequence", "read its fields")

    def __eq__(self, other: object) -> Any:
        return _is_equal(self, other)

    def __ne__(self, other: object) -> Any:
        same = _is_equal(self, other)
        return not same if isinstance(same, bool) else negate(same)

    def _refuse(self, *_: object) -> Any:
        raise staging_error(
            "AG101",
            f"whether {called(self)} is None, or which object, is needed while tracing",
            "in converted code its fields, its methods and `is None` are staged: is this function excluded"
            " from conversion?",
        )

    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        """The real class within this package; the user's code gets an error, see ``own_class.py``."""
        return own_class(self, called(self))

    __bool__ = __hash__ = __str__ = __repr__ = __format__ = __contains__ = __reduce__ = _refuse


register_sequence(StagedNode)


def called(node: StagedNode) -> str:
    """The name of a node in messages: its variable or its class."""
    name = name_of(node)
    return f"this {node.ag_forest}" if name is None else f"`{name}`"


def name_of(node: StagedNode) -> str | None:
    """The variable or field that a node was read from, if known."""
    name = node.ag_name
    if name is None or name.startswith(("return_value", "the ")):
        name = variable_of(node)
        object.__setattr__(node, "ag_name", name)
    return name


def is_present(node: StagedNode) -> Tensor:
    """``node is not None``."""
    return compare("greater_equal", node.ag_row, 0)


def row_of(value: object, forest: Forest) -> Tensor:
    """The row of a node, or of an object from around the function; -1 for ``None``."""
    if isinstance(value, StagedNode):
        return value.ag_row
    return forest.row_of(value) if forest.may_hold(value) else constant(-1, "int64", Form.PYTHON)


def is_same_node(left: StagedNode, right: object) -> Tensor | bool:
    """``left is right``."""
    if right is None:
        return negate(is_present(left))
    if not isinstance(right, StagedNode) and not left.ag_forest.may_hold(right):
        return False
    return compare("equal", left.ag_row, row_of(right, left.ag_forest))


def truth_of_node(node: StagedNode) -> Tensor:
    """``bool(node)``: asks `__bool__` or `__len__` if a class has one, else true unless ``None``."""
    for kind in node.ag_forest.schema.kinds:
        if hasattr(kind, "__bool__") or (hasattr(kind, "__len__") and not is_named_tuple(kind)):
            return _asked_truth(node)
    return is_present(node)


def _asked_truth(node: StagedNode) -> Tensor:
    def ask() -> Any:
        if all(hasattr(kind, "__bool__") for kind in node.ag_forest.schema.kinds):
            return truth(node.__getattr__("__bool__")())
        return truth(node.__getattr__("__len__")())

    found = stage_choice(
        is_present(node).read(), ask, lambda: constant(False, "bool", Form.PYTHON), "the truth of a node"
    )
    return found  # type: ignore[no-any-return]


def special_method(node: StagedNode, name: str) -> Any:
    """A method such as ``__add__`` that the program wrote for a node's class, bound to the node."""
    kinds = node.ag_forest.schema.kinds
    bases = [base for kind in kinds for base in kind.__mro__[:-1] if base is not tuple]
    found = [base.__dict__[name] for base in bases if name in base.__dict__]
    if not found or any(is_generated(one) for one in found):
        return None
    return partial(converted_call, node.__getattr__(name))


def _is_equal(node: StagedNode, other: Any) -> Any:
    if other is None:
        return is_same_node(node, None)
    kinds = node.ag_forest.schema.kinds
    if not any("__eq__" in base.__dict__ for kind in kinds for base in kind.__mro__[:-1]):
        return is_same_node(node, other)
    found = special_method(node, "__eq__")
    if found is not None:
        return found(other)
    raise staging_error(
        "AG120", f"`==` of {called(node)} and another object compares all that they hold", "use `is`"
    )


def _operator(name: str) -> Callable[..., Any]:
    def apply(self: StagedNode, *operands: Any) -> Any:
        found = special_method(self, name)
        return NotImplemented if found is None else found(*operands)

    return apply


for _name in ARITHMETIC:
    setattr(StagedNode, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(StagedNode, f"__r{_name}__", _operator(f"__r{_name}__"))
for _name in ("lt", "le", "gt", "ge"):
    setattr(StagedNode, f"__{_name}__", _operator(f"__{_name}__"))


def refusal_of_write(node: StagedNode, name: str) -> Exception:
    """The error for ``node.name = value``."""
    return staging_error(
        "AG113",
        f"the field `{name}` of {called(node)} is written, a node of an argument that outlives the call",
        "return the value, or a new object with it",
    )
