def dfdx(x, by=1.0):
    xs = [x]
    new_xs, saved_new_xs = push_forward(xs, 2.0 * x)
    new_xs = tangent.own_containers(new_xs, ())
    new_xs_form = tangent.form(new_xs)
    items = list(new_xs)
    steps = 0
    for item in items:
        steps += 1
        xs.append(item)
    xs_1 = xs[0]
    xs_2 = xs[1]
    tangent.check_seed(by, xs_1 * xs_2)
    # Grad of: return xs[0] * xs[1]
    bxs_1 = tangent.unbroadcast(by * xs_2, xs_1)
    bxs_2 = tangent.unbroadcast(by * xs_1, xs_2)
    bxs = tangent.zeros_like(xs)
    bxs[1] += bxs_2
    bxs[0] += bxs_1
    bitems = tangent.zeros_like(items)
    for i in reversed(range(steps)):
        # Grad of: push(xs, 2.0 * x)
        tangent.add_at(bitems, i, bxs.pop())
    # Grad of: push(xs, 2.0 * x)
    bxs_part, bproduct_part = push_backward(saved_new_xs, tangent.items_like(bitems, new_xs_form))
    bxs = tangent.add_grad(bxs, bxs_part)
    bx = bproduct_part * 2.0
    # Grad of: xs = [x]
    bx = tangent.add_grad(bx, bxs[0])
    return tangent.as_gradient(bx, x)


def push_forward(xs, v):
    xs = list(xs)
    xs_length = len(xs)
    xs.append(v * v)
    return xs[xs_length:], (v, xs, xs_length)


def push_backward(saved, by):
    v, xs, xs_length = saved
    # Grad of: xs.append(v * v)
    bxs = tangent.zeros_like(xs)
    tangent.add_at(bxs, slice(xs_length, None), by)
    bproduct = bxs.pop()
    bv = bproduct * v + bproduct * v
    return bxs, bv
