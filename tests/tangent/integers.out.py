def dfdx(x, by=1.0):
    place = np.argmax(x)
    count = x.shape[0] // 2
    tangent.check_seed(by, x[place] * count)
    # Grad of: return x[place] * count
    bx_place = by * count
    bx = tangent.zeros_like(x)
    tangent.add_at(bx, place, bx_place)
    return tangent.as_gradient(bx, x)
