def dfdx(x, by=1.0):
    state = {"position": x, "speed": 2 * x}
    state_1 = state["position"]
    state_2 = state["speed"]
    product_1 = state_1 * state_2
    state_form_2 = tangent.form(state)
    state["position"] = product_1
    state_form_4 = tangent.form(state)
    tangent.check_seed(by, state["position"])
    # Grad of: return state["position"]
    bstate = tangent.zeros_like(state_form_4)
    tangent.add_at(bstate, "position", by)
    # Grad of: state["position"] = state["position"] * state["speed"]
    bproduct_1 = tangent.unbroadcast(tangent.stored(bstate, "position", state_form_2), product_1)
    bstate["position"] = tangent.zeros_at(state_form_2, "position")
    bstate_1 = tangent.unbroadcast(bproduct_1 * state_2, state_1)
    bstate_2 = tangent.unbroadcast(bproduct_1 * state_1, state_2)
    bstate["speed"] += bstate_2
    bstate["position"] += bstate_1
    # Grad of: state = {"position": x, "speed": 2 * x}
    bx = bstate["position"]
    bx = bx + bstate["speed"] * 2
    return tangent.as_gradient(bx, x)
