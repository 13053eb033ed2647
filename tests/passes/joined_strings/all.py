def f(x, w):
    return f'a{x!r:>{w}}b', f'{x=}', f'{{{x:.2f}}}', f'plain', f'{x=!s:>4}'
