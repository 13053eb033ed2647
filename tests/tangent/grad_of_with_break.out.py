def dfdx(x, n, bstate=1.0):
    state = 0.0
    went_on_values = []
    product_form_values = []
    steps = 0
    for i in range(n):
        steps += 1
        went_on_values.append(True)
        product = 0.5 * state
        product_form = tangent.form(product)
        state = product + x
        product_form_values.append(product_form)
    tangent.check_seed(bstate, state)
    bx = tangent.zeros_like(x)
    for i in reversed(range(n)[:steps]):
        if went_on_values.pop():
            product_form = product_form_values.pop()
            bproduct = tangent.unbroadcast(bstate, product_form)
            # Grad of: state = 0.5 * state + x
            bx = tangent.add_grad(bx, tangent.unbroadcast(bstate, x))
            bstate = bproduct * 0.5
        bstate = tangent.copy(bstate)
        # Grad of: with tangent.grad_of(state) as dstate:
        if i < n - 2:
            break
    return tangent.as_gradient(bx, x)
