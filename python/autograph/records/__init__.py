r"""Trees and lists of objects as arguments: one table for all nodes, so that one graph is for all shapes.

    tree                      node   value  left  right
       5                      0      5.0     1     2
      / \               →      1      2.0    -1    -1
     2   7                    2      7.0    -1    -1

    total(tree)               the graph walks rows; `tree is None` is `row < 0`

``classes``: whose objects are nodes. ``walk``: finds all nodes. ``columns``, ``tables``: what they hold, as
arrays. ``search``: whether a function of a trace walks nodes. ``arguments``: the arguments of a call.
"""
