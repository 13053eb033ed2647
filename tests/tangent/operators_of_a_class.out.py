def dfdx(x, y, by_1=1.0):
    Vector_x_y, saved_Vector_x_y = Vector_forward(Vector, x, y)
    Vector_y_x, saved_Vector_y_x = Vector_forward(Vector, y, x)
    Vector_x_y_copy = tangent.copy_containers(Vector_x_y)
    Vector_y_x_copy = tangent.copy_containers(Vector_y_x)
    u, saved_u = Vector_add_forward(Vector_x_y_copy, Vector_y_x_copy)
    u = tangent.own_containers(u, (Vector_x_y_copy, Vector_y_x_copy))
    tangent.require_class(u, Vector)
    __getitem___1, saved___getitem___1 = Vector_getitem_forward(tangent.copy_containers(u), 0)
    length_gives_and_written, saved_length_gives_and_written = length_forward(u, __getitem___1 * x)
    u_copy_1 = tangent.copy_containers(u)
    y_1, saved_y_1 = length_forward2(u_copy_1)
    y_1 = tangent.own_containers(y_1, (u_copy_1,))
    tangent.check_seed(by_1, y_1)
    # Grad of: return u.length
    bu = length_backward2(saved_y_1, by_1)
    # Grad of: u.length = u[0] * x
    bu, bproduct = length_backward(saved_length_gives_and_written, [bu])
    b__getitem___1 = tangent.unbroadcast(bproduct * x, __getitem___1)
    bx = tangent.unbroadcast(bproduct * __getitem___1, x)
    bu = tangent.add_grad(bu, Vector_getitem_backward(saved___getitem___1, b__getitem___1))
    # Grad of: u = Vector(x, y) + Vector(y, x)
    bVector_x_y, bVector_y_x = Vector_add_backward(saved_u, bu)
    by, bx_part_1 = Vector_backward(saved_Vector_y_x, bVector_y_x)
    bx = tangent.add_grad(bx, bx_part_1)
    bx_part, by_part = Vector_backward(saved_Vector_x_y, bVector_x_y)
    bx = tangent.add_grad(bx, bx_part)
    return tangent.as_gradient(bx, x)


def Vector_forward(cls, a, b):
    self = cls.__new__(cls)
    self_form = tangent.form(self)
    self.a = a
    self_form_1 = tangent.form(self)
    self.b = b
    return self, (a, b, self_form, self_form_1)


def Vector_backward(saved, bself):
    a, b, self_form, self_form_1 = saved
    # Grad of: self.b = b
    bself = tangent.copy(bself)
    bb = tangent.unbroadcast(tangent.stored(bself, 'b', self_form_1), b)
    bself['b'] = tangent.zeros_at(self_form_1, 'b')
    # Grad of: self.a = a
    ba = tangent.unbroadcast(tangent.stored(bself, 'a', self_form), a)
    bself['a'] = tangent.zeros_at(self_form, 'a')
    return ba, bb


def Vector_add_forward(self, other):
    tangent.require_class(self, Vector)
    tangent.require_class(other, Vector)
    a_self = self.a
    a_other = other.a
    total = a_self + a_other
    b_self = self.b
    b_other = other.b
    y, saved_y = Vector_forward(Vector, total, b_self + b_other)
    return y, (a_other, a_self, b_other, b_self, other, saved_y, self)


def Vector_add_backward(saved, by):
    a_other, a_self, b_other, b_self, other, saved_y, self = saved
    # Grad of: return Vector(self.a + other.a, self.b + other.b)
    btotal, btotal_1 = Vector_backward(saved_y, by)
    bb_self = tangent.unbroadcast(btotal_1, b_self)
    bb_other = tangent.unbroadcast(btotal_1, b_other)
    bother = tangent.zeros_like(other)
    bother['b'] += bb_other
    bself = tangent.zeros_like(self)
    bself['b'] += bb_self
    ba_self = tangent.unbroadcast(btotal, a_self)
    ba_other = tangent.unbroadcast(btotal, a_other)
    bother['a'] += ba_other
    bself['a'] += ba_self
    return bself, bother


def Vector_getitem_forward(self, i):
    tangent.require_class(self, Vector)
    taken = i == 0
    if taken:
        y = self.a
    else:
        y = self.b
    return y, (self, taken)


def Vector_getitem_backward(saved, by):
    self, taken = saved
    if taken:
        # Grad of: return self.a if i == 0 else self.b
        bself = tangent.zeros_like(self)
        tangent.add_at(bself, 'a', by)
    else:
        bself = tangent.zeros_like(self)
        tangent.add_at(bself, 'b', by)
    return bself


def length_forward(self, value):
    tangent.require_class(self, Vector)
    self_form = tangent.form(self)
    self.a = value
    self_form_1 = tangent.form(self)
    self.b = 0.0
    return None, (self_form, self_form_1, value)


def length_backward(saved, by):
    self_form, self_form_1, value = saved
    # Grad of: self.b = 0.0
    bself = by[0]
    bself = tangent.copy(bself)
    bself['b'] = tangent.zeros_at(self_form_1, 'b')
    # Grad of: self.a = value
    bvalue = tangent.unbroadcast(tangent.stored(bself, 'a', self_form), value)
    bself['a'] = tangent.zeros_at(self_form, 'a')
    return bself, bvalue


def length_forward2(self):
    tangent.require_class(self, Vector)
    a_self = self.a
    a_self_1 = self.a
    product = a_self * a_self_1
    b_self = self.b
    b_self_1 = self.b
    product_1 = b_self * b_self_1
    return product + product_1, (a_self, a_self_1, b_self, b_self_1, product, product_1, self)


def length_backward2(saved, by):
    a_self, a_self_1, b_self, b_self_1, product, product_1, self = saved
    # Grad of: return self.a * self.a + self.b * self.b
    bproduct = tangent.unbroadcast(by, product)
    bproduct_1 = tangent.unbroadcast(by, product_1)
    bb_self = tangent.unbroadcast(bproduct_1 * b_self_1, b_self)
    bb_self_1 = tangent.unbroadcast(bproduct_1 * b_self, b_self_1)
    bself = tangent.zeros_like(self)
    bself['b'] += bb_self_1
    bself['b'] += bb_self
    ba_self = tangent.unbroadcast(bproduct * a_self_1, a_self)
    ba_self_1 = tangent.unbroadcast(bproduct * a_self, a_self_1)
    bself['a'] += ba_self_1
    bself['a'] += ba_self
    return bself
