r"""Objects in a graph: rows of tables, for objects that the program makes or finds in its arguments.

    tree                      node   value  left  right
       5                      0      5.0     1     2
      / \               →      1      2.0    -1    -1
     2   7                    2      7.0    -1    -1

    total(tree)               the graph walks rows; `tree is None` is `row < 0`

Trees in the arguments: ``arguments.py`` decides between leaves and tables, ``walk.py`` finds all nodes,
``columns.py`` and ``tables.py`` pack them into arrays, ``nodes.py``, ``node_fields.py`` and
``node_sequences.py`` are the staged nodes, ``nodes_of_call.py`` maps returned rows to the caller's objects.

Objects that the program makes: ``object_tables.py`` has the tables, ``object_records.py`` and
``object_lists.py`` the references to their rows, ``object_fields.py`` reads and writes their fields,
``object_results.py`` rebuilds returned objects.

The kinds: ``row_of.py``, ``node_of.py``, ``list_object.py``, ``maybe_unbound.py``.

This room imports the rooms before it. Start with ``object_tables.py``, or for trees with ``arguments.py``.
"""
