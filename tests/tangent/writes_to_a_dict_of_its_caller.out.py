def dfdw(w, rate, by=1.0):
    params = {"w": w}
    update_gives_and_written, saved_update_gives_and_written = update_forward(params, rate)
    params_form_1 = tangent.form(params)
    params_1 = params["w"]
    power = params_1 ** 2
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(params["w"] ** 2)
    bparams_1 = tangent.unreduce(by, power) * 2 * params_1
    bparams = tangent.zeros_like(params_form_1)
    bparams["w"] += bparams_1
    # Grad of: update(params, rate)
    bparams = update_backward(saved_update_gives_and_written, [bparams])
    # Grad of: params = {"w": w}
    bw = bparams["w"]
    return tangent.as_gradient(bw, w)


def update_forward(params, rate):
    params_1 = params["w"]
    params_2 = params["w"]
    params_2_form = tangent.form(params_2)
    product = rate * params_2
    params_1_form = tangent.form(params_1)
    difference = params_1 - product
    params_form_2 = tangent.form(params)
    params["w"] = difference
    return None, (difference, params_1_form, params_2_form, params_form_2, product, rate)


def update_backward(saved, by):
    difference, params_1_form, params_2_form, params_form_2, product, rate = saved
    # Grad of: params["w"] = params["w"] - rate * params["w"]
    bparams = by[0]
    bparams = tangent.copy(bparams)
    bdifference = tangent.unbroadcast(tangent.stored(bparams, "w", params_form_2), difference)
    bparams["w"] = tangent.zeros_at(params_form_2, "w")
    bparams_1 = tangent.unbroadcast(bdifference, params_1_form)
    bparams_2 = tangent.unbroadcast(tangent.unbroadcast(-bdifference, product) * rate, params_2_form)
    bparams["w"] += bparams_2
    bparams["w"] += bparams_1
    return bparams
