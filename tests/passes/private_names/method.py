class Stack:
    def push(self, x):
        __y = x
        self.__items.append(__y)
