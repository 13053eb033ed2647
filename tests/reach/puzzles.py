"""Puzzles and everyday programs: numbers, digits, games, simulations, calendars, ciphers."""

import math
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations, product

import numpy as np


def collatz(n):
    if n < 1:
        raise ValueError("n must be positive")
    steps, peak = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        peak = max(peak, n)
        steps += 1
    return steps, peak


def is_prime(n):
    if n < 2:
        return False
    if n % 2 == 0:
        return n == 2
    i = 3
    while i * i <= n:
        if n % i == 0:
            return False
        i += 2
    return True


def sieve(limit):
    flags = [True] * (limit + 1)
    flags[0:2] = [False, False]
    for i in range(2, int(limit**0.5) + 1):
        if flags[i]:
            for j in range(i * i, limit + 1, i):
                flags[j] = False
    return [i for i, flag in enumerate(flags) if flag]


def prime_factors(n):
    factors = []
    d = 2
    while d * d <= n:
        while n % d == 0:
            factors.append(d)
            n //= d
        d += 1
    if n > 1:
        factors.append(n)
    return factors


def gcd_and_lcm(a, b):
    x, y = a, b
    while y:
        x, y = y, x % y
    return x, a * b // x


def extended_gcd(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (a // b) * y


def power_mod(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def digit_sum(n):
    return sum(int(c) for c in str(n))


def is_palindrome(n):
    return str(n) == str(n)[::-1]


def reverse_digits(n):
    sign = -1 if n < 0 else 1
    n, result = abs(n), 0
    while n:
        n, digit = divmod(n, 10)
        result = result * 10 + digit
    return sign * result


def to_base(n, base):
    if n == 0:
        return [0]
    digits = []
    while n > 0:
        digits.append(n % base)
        n //= base
    digits.reverse()
    return digits


def roman(n):
    table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")]
    table += [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    result = ""
    for value, letters in table:
        while n >= value:
            result += letters
            n -= value
    return result


def fizz_buzz(n):
    lines = []
    for i in range(1, n + 1):
        if i % 15 == 0:
            lines.append("FizzBuzz")
        elif i % 3 == 0:
            lines.append("Fizz")
        elif i % 5 == 0:
            lines.append("Buzz")
        else:
            lines.append(str(i))
    return lines


def perfect_numbers(limit):
    found = []
    for n in range(2, limit):
        if sum(d for d in range(1, n // 2 + 1) if n % d == 0) == n:
            found.append(n)
    return found


def pascal(rows):
    triangle = [[1]]
    for _ in range(rows - 1):
        last = triangle[-1]
        triangle.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
    return triangle


def hanoi(n, source=0, target=2, spare=1):
    if n == 0:
        return 0
    moves = hanoi(n - 1, source, spare, target)
    moves += 1
    moves += hanoi(n - 1, spare, target, source)
    return moves


def queens(n):
    def place(row, columns, left, right):
        if row == n:
            return 1
        count = 0
        for column in range(n):
            if columns & (1 << column) or left & (1 << (row + column)) or right & (1 << (row - column + n)):
                continue
            count += place(
                row + 1, columns | 1 << column, left | 1 << (row + column), right | 1 << (row - column + n)
            )
        return count

    return place(0, 0, 0, 0)


def life(board, generations):
    for _ in range(generations):
        neighbours = sum(
            np.roll(np.roll(board, dy, axis=0), dx, axis=1)
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if (dy, dx) != (0, 0)
        )
        new = ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(int)
        if np.array_equal(new, board):
            break
        board = new
    return board


def tic_tac_toe(board):
    lines = [board[i] for i in range(3)] + [board[:, i] for i in range(3)]
    lines += [np.diag(board), np.diag(np.fliplr(board))]
    for line in lines:
        if np.all(line == 1):
            return "X"
        if np.all(line == -1):
            return "O"
    return "draw" if np.all(board != 0) else None


def mandelbrot(c_re, c_im, most):
    z = 0j
    c = complex(c_re, c_im)
    for n in range(most):
        if abs(z) > 2:
            return n
        z = z * z + c
    return most


def random_walk(moves):
    x = y = 0
    visited = {(0, 0)}
    for move in moves:
        if move == 0:
            x += 1
        elif move == 1:
            x -= 1
        elif move == 2:
            y += 1
        else:
            y -= 1
        visited.add((x, y))
    return (x, y), len(visited), abs(x) + abs(y)


class Light(Enum):
    RED = 1
    GREEN = 2
    YELLOW = 3


def traffic(ticks):
    light, waited = Light.RED, 0
    for tick in ticks:
        waited += tick
        if light is Light.RED and waited > 3:
            light, waited = Light.GREEN, 0
        elif light is Light.GREEN and waited > 2:
            light, waited = Light.YELLOW, 0
        elif light is Light.YELLOW and waited > 1:
            light, waited = Light.RED, 0
    return light


@dataclass
class Account:
    balance: float = 0.0
    history: list = field(default_factory=list)

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("insufficient funds")
        self.balance -= amount
        self.history.append(-amount)


def bank(amounts):
    account = Account(100.0)
    refused = 0
    for amount in amounts:
        try:
            account.withdraw(amount)
        except ValueError:
            refused += 1
    return account.balance, account.history, refused


def day_of_week(year, month, day):
    names = ["Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    if month < 3:
        month += 12
        year -= 1
    k, j = year % 100, year // 100
    return names[(day + 13 * (month + 1) // 5 + k + k // 4 + j // 4 + 5 * j) % 7]


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def caesar(codes, shift):
    out = []
    for code in codes:
        if 65 <= code <= 90:
            out.append((code - 65 + shift) % 26 + 65)
        else:
            out.append(code)
    return out


def luhn(digits):
    total = 0
    for i, d in enumerate(reversed(digits)):
        if i % 2 == 1:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0


def subset_sums(values, target):
    found = []
    for size in range(1, len(values) + 1):
        for chosen in combinations(values, size):
            if sum(chosen) == target:
                found.append(chosen)
    return found


def dice_sums(target):
    return sum(1 for a, b, c in product(range(1, 7), repeat=3) if a + b + c == target)


def pythagorean(limit):
    return [
        (a, b, math.isqrt(a * a + b * b))
        for a in range(1, limit)
        for b in range(a, limit)
        if math.isqrt(a * a + b * b) ** 2 == a * a + b * b
    ]


def matching_brackets(codes):
    stack = []
    for code in codes:
        if code > 0:
            stack.append(code)
        elif not stack or stack.pop() != -code:
            return False
    return not stack


def spiral(matrix):
    out = []
    top, bottom, left, right = 0, matrix.shape[0] - 1, 0, matrix.shape[1] - 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            out.append(matrix[top, j])
        top += 1
        for i in range(top, bottom + 1):
            out.append(matrix[i, right])
        right -= 1
        if top <= bottom:
            for j in range(right, left - 1, -1):
                out.append(matrix[bottom, j])
            bottom -= 1
        if left <= right:
            for i in range(bottom, top - 1, -1):
                out.append(matrix[i, left])
            left += 1
    return out


def loan(principal, rate, payment):
    months, interest = 0, 0.0
    while principal > 0:
        charge = principal * rate / 12
        if payment <= charge:
            raise ValueError("the payment never covers the interest")
        interest += charge
        principal = principal + charge - payment
        months += 1
    return f"{months} months, {interest:.2f} of interest"


def grade(score):
    if score >= 90:
        return "A"
    if score >= 80:
        return "B"
    if score >= 70:
        return "C"
    return "F"


def temperature(readings):
    hottest = max(enumerate(readings), key=lambda pair: pair[1])
    return {
        "hottest": hottest[0],
        "above": [i for i, r in enumerate(readings) if r > sum(readings) / len(readings)],
    }


BOARD = np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])

PROGRAMS = (
    (collatz, (27,), (1,), (0,)),
    (is_prime, (97,), (91,), (2,), (0,)),
    (sieve, (50,), (2,)),
    (prime_factors, (360,), (97,)),
    (gcd_and_lcm, (48, 18), (7, 13)),
    (extended_gcd, (240, 46), (5, 0)),
    (power_mod, (3, 200, 13), (5, 0, 7)),
    (digit_sum, (98765,), (0,)),
    (is_palindrome, (12321,), (1231,)),
    (reverse_digits, (1230,), (-45,)),
    (to_base, (255, 2), (0, 7)),
    (roman, (1994,), (3,)),
    (fizz_buzz, (15,), (3,)),
    (perfect_numbers, (30,), (5,)),
    (pascal, (5,), (1,)),
    (hanoi, (5,), (0,)),
    (queens, (5,), (2,)),
    (life, (BOARD, 3), (BOARD * 0, 3)),
    (tic_tac_toe, (np.array([[1, 1, 1], [0, -1, 0], [-1, 0, 0]]),), (np.zeros((3, 3)),)),
    (mandelbrot, (0.0, 0.0, 20), (1.0, 1.0, 20)),
    (random_walk, ([0, 2, 2, 1, 3, 0],), (np.array([0, 1, 0, 1]),)),
    (traffic, ([1, 2, 1, 3, 2],), ([9],)),
    (bank, ([30.0, 90.0, 50.0],), ([],)),
    (day_of_week, (2024, 2, 29), (2000, 12, 31)),
    (is_leap, (2000,), (1900,), (2024,)),
    (
        caesar,
        ([72, 69, 89, 33], 3),
    ),
    (luhn, ([4, 5, 3, 9, 1, 4, 8, 8],), ([0],)),
    (subset_sums, ([3, 5, 8], 8), ([1], 2)),
    (dice_sums, (10,), (2,)),
    (pythagorean, (20,), (3,)),
    (matching_brackets, ([1, 2, -2, -1],), ([1, -2],), ([],)),
    (spiral, (np.arange(12).reshape(3, 4),), (np.arange(3).reshape(1, 3),)),
    (loan, (1000.0, 0.05, 100.0), (1000.0, 0.5, 10.0)),
    (grade, (95,), (85,), (71,), (10,)),
    (temperature, ([20.5, 30.0, 25.0],), ([1.0],)),
)
