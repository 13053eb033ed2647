r"""Objects that a graph can tell apart: rows of tables, made by the program or found in its arguments.

    tree                      node   value  left  right
       5                      0      5.0     1     2
      / \               →      1      2.0    -1    -1
     2   7                    2      7.0    -1    -1

    total(tree)               the graph walks rows; `tree is None` is `row < 0`

Trees of arguments: ``arguments.py`` (leaves or tables), ``walk.py`` (finds all nodes), ``columns.py`` and
``tables.py`` (what they hold), ``nodes.py``, ``node_fields.py`` and ``node_sequences.py`` (what stands for
one), ``nodes_of_call.py`` (what a row that a graph gives back stands for). Objects of the program:
``object_tables.py``, ``object_records.py`` and ``object_lists.py`` (what stands for one),
``object_results.py`` (what goes out). The kinds: ``row_of.py``, ``node_of.py``, ``list_object.py``,
``maybe_unbound.py``.

It may import the rooms before it. Start with ``object_tables.py``, or for trees with ``arguments.py``.
"""
