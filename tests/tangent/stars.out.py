def df(x, rest, options, by=1.0):
    items = list(rest)
    tangent.require_items(items, 1)
    first = items[0]
    others = items[1:]
    rest_1 = tuple(others)
    tangent.require_arguments('mixed', (), (), options, ('weight',), ('x',), True, True)
    product = x * first
    taken = 'weight' in options
    if taken:
        value = options['weight']
    else:
        value = 1.0
    items_1 = {}
    taken_values = []
    key_values = []
    options_key_form_values = []
    steps = 0
    for key in tangent.keys(options):
        steps += 1
        key_values.append(key)
        taken_1 = key not in ('x', 'weight')
        taken_values.append(taken_1)
        if taken_1:
            options_key = options[key]
            options_key_form = tangent.form(options_key)
            items_1[key] = options_key
            options_key_form_values.append(options_key_form)
    y, saved_y = mixed_forward(product, *rest_1, weight=value, **items_1)
    tangent.check_seed(by, y)
    # Grad of: return mixed(x * first, *others, **options)
    bproduct, bvalue, brest_1, bvalue_1 = mixed_backward(saved_y, by)
    bitems_1 = bvalue_1
    bitems_1 = tangent.copy(bitems_1)
    boptions = tangent.zeros_like(options)
    for _ in range(steps):
        key = key_values.pop()
        if taken_values.pop():
            options_key_form = options_key_form_values.pop()
            # Grad of: return mixed(x * first, *others, **options)
            boptions_key = tangent.unbroadcast(tangent.stored(bitems_1, key, items_1), options_key_form)
            bitems_1[key] = tangent.zeros_at(items_1, key)
            tangent.add_at(boptions, key, boptions_key)
    if taken:
        # Grad of: return mixed(x * first, *others, **options)
        tangent.add_at(boptions, 'weight', bvalue)
    # Grad of: return mixed(x * first, *others, **options)
    bx = tangent.unbroadcast(bproduct * first, x)
    bfirst = tangent.unbroadcast(bproduct * x, first)
    bothers = tangent.items_like(brest_1, others)
    # Grad of: first, *others = rest
    bitems = tangent.zeros_like(items)
    tangent.add_at(bitems, slice(1, None), bothers)
    bitems[0] += bfirst
    brest = tangent.items_like(bitems, rest)
    return tangent.as_gradient(bx, x), tangent.as_gradient(brest, rest), tangent.as_gradient(boptions, options)


def mixed_forward(x, *others, weight=1.0, **scales):
    total = weight * x
    other_values = []
    power_form_values = []
    total_form_values = []
    steps = 0
    for other in others:
        steps += 1
        other_values.append(other)
        power = other ** 2
        power_form = tangent.form(power)
        total_form = tangent.form(total)
        total = total + power
        power_form_values.append(power_form)
        total_form_values.append(total_form)
    scales_1 = scales["out"]
    return total * scales_1, (other_values, others, power_form_values, scales, scales_1, steps, total, total_form_values, weight, x)


def mixed_backward(saved, by):
    other_values, others, power_form_values, scales, scales_1, steps, total, total_form_values, weight, x = saved
    other_values = other_values.copy()
    power_form_values = power_form_values.copy()
    total_form_values = total_form_values.copy()
    # Grad of: return total * scales["out"]
    btotal = tangent.unbroadcast(by * scales_1, total)
    bscales_1 = tangent.unbroadcast(by * total, scales_1)
    bscales = tangent.zeros_like(scales)
    bscales["out"] += bscales_1
    bothers = tangent.zeros_like(others)
    for i in reversed(range(steps)):
        other = other_values.pop()
        power_form = power_form_values.pop()
        total_form = total_form_values.pop()
        # Grad of: total = total + other**2
        bpower = tangent.unbroadcast(btotal, power_form)
        btotal = tangent.unbroadcast(btotal, total_form)
        bother = bpower * 2 * other
        tangent.add_item(bothers, i, bother)
    # Grad of: total = weight * x
    bweight = tangent.unbroadcast(btotal * x, weight)
    bx = tangent.unbroadcast(btotal * weight, x)
    return bx, bweight, bothers, bscales
