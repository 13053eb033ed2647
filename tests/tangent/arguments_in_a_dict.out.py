def dfdparams(params, x, by=1.0):
    params_1 = params["w"]
    product = params_1 * x
    sum_1 = np.sum(product)
    tangent.check_seed(by, sum_1 + params["b"])
    # Grad of: return np.sum(params["w"] * x) + params["b"]
    bsum_1 = tangent.unbroadcast(by, sum_1)
    bparams = tangent.zeros_like(params)
    bparams["b"] += by
    bparams_1 = tangent.unbroadcast(tangent.unreduce(bsum_1, product) * x, params_1)
    bparams["w"] += bparams_1
    return tangent.as_gradient(bparams, params)
