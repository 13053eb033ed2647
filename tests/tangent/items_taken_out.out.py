def dtakendx(x, by_1=1.0):
    d = {"a": x, "b": x * x}
    y = d["a"]
    d_form_1 = tangent.form(d)
    del d["a"]
    value = y * x
    d_form_2 = tangent.form(d)
    d['c'] = value
    queue = [d["b"], d["c"]]
    tangent.require_item(queue, 0)
    first = queue[0]
    queue_form_1 = tangent.form(queue)
    del queue[0]
    d_form_5 = tangent.form(d)
    del d["b"]
    queue_form_3 = tangent.form(queue)
    queue_1 = queue[0]
    product_1 = first * queue_1
    d_form_7 = tangent.form(d)
    d_3 = d["c"]
    d_3_form = tangent.form(d_3)
    tangent.check_seed(by_1, product_1 + d_3)
    # Grad of: return first * queue[0] + d["c"]
    bproduct_1 = tangent.unbroadcast(by_1, product_1)
    bd_3 = tangent.unbroadcast(by_1, d_3_form)
    bd = tangent.zeros_like(d_form_7)
    bd["c"] += bd_3
    bfirst = tangent.unbroadcast(bproduct_1 * queue_1, first)
    bqueue_1 = tangent.unbroadcast(bproduct_1 * first, queue_1)
    bqueue = tangent.zeros_like(queue_form_3)
    bqueue[0] += bqueue_1
    # Grad of: del d["b"]
    bd = tangent.restored(bd, d_form_5, "b")
    # Grad of: first = queue.pop(0)
    bqueue = list(tangent.restored(bqueue, queue_form_1, 0))
    bqueue = tangent.copy(bqueue)
    bqueue[0] += bfirst
    # Grad of: queue = [d["b"], d["c"]]
    bd_1 = bqueue[0]
    bd_2 = bqueue[1]
    bd = tangent.copy(bd)
    tangent.add_at(bd, "c", bd_2)
    tangent.add_at(bd, "b", bd_1)
    # Grad of: d.update(c=y * x)
    bvalue = tangent.unbroadcast(tangent.stored(bd, 'c', d_form_2), value)
    bd['c'] = tangent.zeros_at(d_form_2, 'c')
    by = tangent.unbroadcast(bvalue * x, y)
    bx = tangent.unbroadcast(bvalue * y, x)
    # Grad of: y = d.pop("a")
    bd = tangent.restored(bd, d_form_1, "a")
    bd = tangent.copy(bd)
    bd["a"] += by
    # Grad of: d = {"a": x, "b": x * x}
    bx = tangent.add_grad(bx, bd["a"])
    bproduct = bd["b"]
    bx += bproduct * x + bproduct * x
    return tangent.as_gradient(bx, x)
