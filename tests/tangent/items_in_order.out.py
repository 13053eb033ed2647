def dordereddx(x, by_1=1.0):
    product = 3.0 * x
    x_copy = tangent.copy(x)
    ys = [product, x * x, 2.0]
    places = tangent.sorted_places(ys, key=lambda y: -y)
    ys_form = tangent.form(ys)
    reordered = tangent.reordered(ys, places)
    ys[:] = reordered
    ys.append(x)
    places_1 = tangent.insertion_places(ys, 0)
    ys_form_2 = tangent.form(ys)
    reordered_1 = tangent.reordered(ys, places_1)
    ys[:] = reordered_1
    ys_1 = ys[0]
    ys_2 = ys[1]
    ys_1_copy = tangent.copy(ys_1)
    ys_2_copy = tangent.copy(ys_2)
    ys_1_form = tangent.form(ys_1)
    ys_2_form = tangent.form(ys_2)
    product_2 = ys_1 * ys_2
    ys_form_5 = tangent.form(ys)
    items = list(ys)
    place = tangent.largest_place(items, key=abs)
    items_form_1 = tangent.form(items)
    max_ys = items[place]
    max_ys_form = tangent.form(max_ys)
    tangent.check_seed(by_1, product_2 + max_ys)
    # Grad of: return ys[0] * ys[1] + max(ys, key=abs)
    bproduct_2 = tangent.unbroadcast(by_1, product_2)
    bmax_ys = tangent.unbroadcast(by_1, max_ys_form)
    bitems = tangent.zeros_like(items_form_1)
    bitems[place] += bmax_ys
    bys = list(tangent.items_like(bitems, ys_form_5))
    bys_1 = tangent.unbroadcast(bproduct_2 * ys_2_copy, ys_1_form)
    bys_2 = tangent.unbroadcast(bproduct_2 * ys_1_copy, ys_2_form)
    bys = tangent.copy(bys)
    bys[1] += bys_2
    bys[0] += bys_1
    # Grad of: ys.insert(0, x)
    bys = list(tangent.in_places(bys, ys_form_2, places_1))
    bys = tangent.copy(bys)
    bx = bys.pop()
    # Grad of: ys.sort(key=lambda y: -y)
    bys = list(tangent.in_places(bys, ys_form, places))
    # Grad of: ys = [3.0 * x, x * x, 2.0]
    bproduct = bys[0]
    bproduct_1 = bys[1]
    bx = bx + (bproduct_1 * x_copy + bproduct_1 * x_copy)
    bx += bproduct * 3.0
    return tangent.as_gradient(bx, x)
