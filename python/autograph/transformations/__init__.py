"""For people who write their own transformations: from functions to trees, and back.

Trees are Python's own ``ast`` nodes; see ``docs/transformations.md``.

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

from autograph.transformations import templates
from autograph.transformations.analyses import Analysis, analyse
from autograph.transformations.compiling import to_callable
from autograph.transformations.control_flow import ControlFlowGraph, Node, Successor
from autograph.transformations.facts import Facts, Scope
from autograph.transformations.parsing import FunctionNode, parse, parse_entity
from autograph.transformations.printing import pretty, to_source
from autograph.transformations.text_errors import TextError

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
