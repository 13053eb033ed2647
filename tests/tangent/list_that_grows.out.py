def dfdx(x, n, by=1.0):
    values = [x]
    values_1_values = []
    for _ in range(n):
        values_1 = values[-1]
        values.append(values_1 * x)
        values_1_values.append(values_1)
    pop_values = values.pop()
    values_2 = values[0]
    pop_values_form_1 = tangent.form(pop_values)
    values_2_form = tangent.form(values_2)
    tangent.check_seed(by, pop_values + values_2)
    # Grad of: return values.pop() + values[0]
    bpop_values = tangent.unbroadcast(by, pop_values_form_1)
    bvalues_2 = tangent.unbroadcast(by, values_2_form)
    bvalues = tangent.zeros_like(values)
    bvalues[0] += bvalues_2
    bvalues.append(tangent.copy(bpop_values))
    bx = tangent.zeros_like(x)
    for _ in reversed(range(n)):
        values_1 = values_1_values.pop()
        # Grad of: values.append(values[-1] * x)
        bproduct = bvalues.pop()
        bvalues_1 = tangent.unbroadcast(bproduct * x, values_1)
        bx = tangent.add_grad(bx, tangent.unbroadcast(bproduct * values_1, x))
        bvalues[-1] += bvalues_1
    # Grad of: values = [x]
    bx = tangent.add_grad(bx, bvalues[0])
    return tangent.as_gradient(bx, x)
