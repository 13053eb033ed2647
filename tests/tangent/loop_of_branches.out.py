def dfdx(x, num_steps, by=1.0):
    x_given = x
    taken_values = []
    for _ in range(num_steps):
        taken = np.sum(x) > 1
        taken_values.append(taken)
        if taken:
            x = x / 2
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(x)
    bx = tangent.unreduce(by, x)
    for _ in reversed(range(num_steps)):
        if taken_values.pop():
            # Grad of: x = x / 2
            bx = bx / 2
    return tangent.as_gradient(bx, x_given)
