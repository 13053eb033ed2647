def dddfdxdxdx(x, by=1.0, by_1=1.0, by_2=1.0):
    product = x * x
    tangent.check_seed(by, x)
    bproduct = by * x
    bx = by * product
    bx += bproduct * x + bproduct * x
    bx_form = tangent.form(bx)
    tangent.check_seed(by_1, tangent.as_gradient(bx, x))
    bbx = tangent.as_gradient(by_1, bx_form)
    bbproduct = bbx * x
    product_1 = bbx * bproduct
    bx_1 = tangent.unbroadcast(product_1, x)
    bbproduct += bbx * x
    product_3 = bbx * bproduct
    bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(product_3, x))
    bproduct_1 = tangent.unbroadcast(bbx * by, product)
    bbproduct_form = tangent.form(bbproduct)
    product_5 = bbproduct * by
    bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(product_5, x))
    total = bproduct_1 * x + bproduct_1 * x
    bx_1_form = tangent.form(bx_1)
    bx_1 += total
    bx_1_form_1 = tangent.form(bx_1)
    tangent.check_seed(by_2, tangent.as_gradient(bx_1, x))
    # Grad of: return tangent.as_gradient(bx_1, x)
    bbx_1 = tangent.as_gradient(by_2, bx_1_form_1)
    # Grad of: bx_1 += bproduct_1 * x + bproduct_1 * x
    btotal = tangent.unbroadcast(bbx_1, total)
    bbx_1 = tangent.unbroadcast(bbx_1, bx_1_form)
    bx_2 = tangent.unbroadcast(btotal * bproduct_1, x)
    bx_2 = tangent.add_grad(bx_2, tangent.unbroadcast(btotal * bproduct_1, x))
    # Grad of: bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(bbproduct * by, x))
    bunbroadcast_2 = bbx_1
    bbx_1 = bbx_1
    bbbproduct = tangent.unbroadcast(tangent.broadcast(bunbroadcast_2, product_5) * by, bbproduct_form)
    # Grad of: bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(bbx * bproduct, x))
    bunbroadcast_1 = bbx_1
    bbx_1 = bbx_1
    bbproduct_1 = tangent.unbroadcast(tangent.broadcast(bunbroadcast_1, product_3) * bbx, bproduct)
    # Grad of: bbproduct += bbx * x
    bx_2 = tangent.add_grad(bx_2, tangent.unbroadcast(bbbproduct * bbx, x))
    # Grad of: bx_1 = tangent.unbroadcast(bbx * bproduct, x)
    bbproduct_1 = tangent.add_grad(bbproduct_1, tangent.unbroadcast(tangent.broadcast(bbx_1, product_1) * bbx, bproduct))
    # Grad of: bbproduct = bbx * x
    bx_2 = tangent.add_grad(bx_2, tangent.unbroadcast(bbbproduct * bbx, x))
    # Grad of: bproduct = by * x
    bx_2 = tangent.add_grad(bx_2, tangent.unbroadcast(bbproduct_1 * by, x))
    return tangent.as_gradient(bx_2, x)
