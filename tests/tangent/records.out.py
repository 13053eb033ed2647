def dfdx(x, y, by_1=1.0):
    State_1 = State(x * y, y)
    state = replace(State_1, c=x * x)
    pair = Pair(state.h, b=state.c)
    a_pair = pair.a
    b_pair = pair.b
    tangent.check_seed(by_1, a_pair * b_pair)
    # Grad of: return pair.a * pair.b
    ba_pair = tangent.unbroadcast(by_1 * b_pair, a_pair)
    bb_pair = tangent.unbroadcast(by_1 * a_pair, b_pair)
    bpair = tangent.zeros_like(pair)
    bpair[1] += bb_pair
    bpair[0] += ba_pair
    # Grad of: pair = Pair(state.h, b=state.c)
    bh_state = bpair[0]
    bc_state = bpair[1]
    bstate = tangent.zeros_like(state)
    tangent.add_at(bstate, 'c', bc_state)
    tangent.add_at(bstate, 'h', bh_state)
    # Grad of: state = replace(State(x * y, y), c=x * x)
    bh_1 = bstate['h']
    bproduct_1 = bstate['c']
    bState_1 = tangent.zeros_like(State_1)
    tangent.add_at(bState_1, 'h', bh_1)
    bx = bproduct_1 * x + bproduct_1 * x
    bx = tangent.add_grad(bx, tangent.unbroadcast(bState_1['h'] * y, x))
    return tangent.as_gradient(bx, x)
