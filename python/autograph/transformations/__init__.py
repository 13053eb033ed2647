"""For people who write their own transformations: turns functions into trees, and trees into functions.

Trees are Python's own ``ast`` nodes. ``docs/transformations.md`` explains this module.

>>> import ast
>>> from autograph.transformations import parse_entity, to_callable, to_source
>>> class Squares(ast.NodeTransformer):
...     def visit_BinOp(self, node):
...         self.generic_visit(node)
...         match node:
...             case ast.BinOp(ast.Name(), ast.Pow(), ast.Constant(2)):
...                 return ast.copy_location(ast.BinOp(node.left, ast.Mult(), node.left), node)
...         return node
>>> def area(radius):
...     return 3 * radius ** 2
>>> node = Squares().visit(parse_entity(area)[0])
>>> print(to_source(node))
def area(radius):
    return 3 * (radius * radius)
>>> to_callable(node, like=area)(2)
12
"""

from autograph._src.public_names import show_as_of
from autograph._src.transformations import templates
from autograph._src.transformations.analyses import Analysis, analyse
from autograph._src.transformations.compiling import to_callable
from autograph._src.transformations.control_flow import ControlFlowGraph, Node, Successor
from autograph._src.transformations.facts import Facts, Scope
from autograph._src.transformations.parsing import FunctionNode, parse, parse_entity
from autograph._src.transformations.printing import pretty, to_source
from autograph._src.transformations.text_errors import TextError

__all__ = [
    "Analysis",
    "ControlFlowGraph",
    "Facts",
    "FunctionNode",
    "Node",
    "Scope",
    "Successor",
    "TextError",
    "analyse",
    "parse",
    "parse_entity",
    "pretty",
    "templates",
    "to_callable",
    "to_source",
]

show_as_of(__name__, [globals()[name] for name in __all__])
