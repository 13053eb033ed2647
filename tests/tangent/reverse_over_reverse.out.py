def ddfdxdx(x, by=1.0, by_1=1.0):
    sin_x = np.sin(x)
    tangent.check_seed(by, x)
    bx = by * sin_x
    product_1 = by * x
    cos_x = np.cos(x)
    bx += product_1 * cos_x
    bx_form = tangent.form(bx)
    tangent.check_seed(by_1, tangent.as_gradient(bx, x))
    # Grad of: return tangent.as_gradient(bx, x)
    bbx = tangent.as_gradient(by_1, bx_form)
    # Grad of: bx += by * x * np.cos(x)
    bproduct_1 = bbx * cos_x
    bx_1 = -tangent.unbroadcast(bbx * product_1, cos_x) * np.sin(x)
    bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(bproduct_1 * by, x))
    # Grad of: bx = by * sin_x
    bsin_x = tangent.unbroadcast(bbx * by, sin_x)
    # Grad of: sin_x = np.sin(x)
    bx_1 += bsin_x * np.cos(x)
    return tangent.as_gradient(bx_1, x)
