"""A method that writes to its object, in forward mode: the tangent of the object is given back."""

from autograph import tangent


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.count = 0

    def grow(self, rate):
        self.balance = self.balance * rate
        self.count += 1


def f(rate):
    account = Account(100.0)
    account.grow(rate)
    account.grow(rate)
    return account.balance * account.count


derivative = tangent.jvp(f)

assert derivative(1.5, 1.0) == 600.0
