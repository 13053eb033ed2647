def dfdx(x, n, bstate=1.0):
    for _ in range(n):
        pass
    tangent.check_seed(bstate, x)
    for _ in reversed(range(n)):
        # Grad of: state = state * 3
        bstate = bstate * 3
        # Grad of: with tangent.grad_of(state) as dstate:
        bstate = np.minimum(bstate, 2.0)
    # Grad of: state = x
    bx = bstate
    return tangent.as_gradient(bx, x)
