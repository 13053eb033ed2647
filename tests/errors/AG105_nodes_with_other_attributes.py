# call: f(Node(1.0, LAST), np.float64(2.0))


class Node:
    def __init__(self, key, next=None):
        self.key = key
        self.next = next


def f(node, key):
    while node is not None and node.key < key:
        node = node.next
    return node.key


LAST = Node(2.0)
LAST.color = "red"
