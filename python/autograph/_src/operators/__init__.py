"""The operators that converted code calls, one for each statement: ``docs/design/0001-converted-code.md``."""

from builtins import slice

from autograph._src.operators.attempts import try_stmt, with_stmt
from autograph._src.operators.bindings import binding
from autograph._src.operators.calls import callee, converted_call
from autograph._src.operators.closures import writes_nonlocal
from autograph._src.operators.comprehensions import (
    dict_comprehension,
    dict_display,
    generator,
    inner,
    list_comprehension,
    nested_generator,
    nested_list_comprehension,
    set_comprehension,
    set_display,
)
from autograph._src.operators.control_flow import for_stmt, if_else_stmt, if_stmt, while_stmt
from autograph._src.operators.frame_readers import Frame, frame_arguments, frame_dir, frame_locals, in_frame
from autograph._src.operators.generator_functions import yielded, yielded_from
from autograph._src.operators.generator_sources import Source, advanced, asked, taken
from autograph._src.operators.identity import IsFalse, IsNone, IsTrue, class_of, is_, is_not, not_
from autograph._src.operators.items import (
    created,
    del_attr,
    del_item,
    get_item,
    set_attr,
    set_item,
    update_attr,
    update_item,
    walked,
    with_element,
    with_elements,
)
from autograph._src.operators.logic import and_, compare, if_exp, in_, not_in, or_
from autograph._src.operators.patterns import (
    class_parts,
    found,
    is_instance,
    is_mapping,
    is_sequence,
    is_sequence_from,
    item_from_end,
    mapping_parts,
    mapping_rest,
    parts_of,
)
from autograph._src.operators.spelled import get_attr, operated
from autograph._src.operators.statements import assert_stmt, attempt, entered, formatted, joined_str
from autograph._src.operators.undefined import Undefined, ld, ld_free, ld_inlined, ld_own, ret

__all__ = [
    "Frame",
    "IsFalse",
    "IsNone",
    "IsTrue",
    "Source",
    "Undefined",
    "advanced",
    "and_",
    "asked",
    "assert_stmt",
    "attempt",
    "binding",
    "callee",
    "class_of",
    "class_parts",
    "compare",
    "converted_call",
    "created",
    "del_attr",
    "del_item",
    "dict_comprehension",
    "dict_display",
    "entered",
    "for_stmt",
    "formatted",
    "found",
    "frame_arguments",
    "frame_dir",
    "frame_locals",
    "generator",
    "get_attr",
    "get_item",
    "if_else_stmt",
    "if_exp",
    "if_stmt",
    "in_",
    "in_frame",
    "inner",
    "is_",
    "is_instance",
    "is_mapping",
    "is_not",
    "is_sequence",
    "is_sequence_from",
    "item_from_end",
    "joined_str",
    "ld",
    "ld_free",
    "ld_inlined",
    "ld_own",
    "list_comprehension",
    "mapping_parts",
    "mapping_rest",
    "nested_generator",
    "nested_list_comprehension",
    "not_",
    "not_in",
    "operated",
    "or_",
    "parts_of",
    "ret",
    "set_attr",
    "set_comprehension",
    "set_display",
    "set_item",
    "slice",
    "taken",
    "try_stmt",
    "update_attr",
    "update_item",
    "walked",
    "while_stmt",
    "with_element",
    "with_elements",
    "with_stmt",
    "writes_nonlocal",
    "yielded",
    "yielded_from",
]
