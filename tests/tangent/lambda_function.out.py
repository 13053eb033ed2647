def dlambdadx(x, by=1.0):
    log_x = np.log(x)
    tangent.check_seed(by, x)
    # Grad of: x * np.log(x)
    bx = by * log_x
    bx += by * x / x
    return tangent.as_gradient(bx, x)
