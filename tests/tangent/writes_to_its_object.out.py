def dfdw(w, xs, btotal=1.0):
    cell, saved_cell = Cell_forward(Cell, w)
    total = 0.0
    saved_step_x_and_written_values = []
    step_x_form_1_values = []
    total_form_values = []
    steps = 0
    for x in xs:
        steps += 1
        step_x, saved_step_x_and_written = step_forward(cell, x)
        step_x_form_1 = tangent.form(step_x)
        total_form = tangent.form(total)
        total = total + step_x
        saved_step_x_and_written_values.append(saved_step_x_and_written)
        step_x_form_1_values.append(step_x_form_1)
        total_form_values.append(total_form)
    cell_form_1 = tangent.form(cell)
    tangent.check_seed(btotal, total)
    bcell = tangent.zeros_like(cell_form_1)
    for _ in range(steps):
        saved_step_x_and_written = saved_step_x_and_written_values.pop()
        step_x_form_1 = step_x_form_1_values.pop()
        total_form = total_form_values.pop()
        # Grad of: total = total + cell.step(x)
        bstep_x = tangent.unbroadcast(btotal, step_x_form_1)
        btotal = tangent.unbroadcast(btotal, total_form)
        bcell = step_backward(saved_step_x_and_written, [bstep_x, bcell])
    # Grad of: cell = Cell(w)
    bw = Cell_backward(saved_cell, bcell)
    return tangent.as_gradient(bw, w)


def Cell_forward(cls, w):
    self = cls.__new__(cls)
    self_form = tangent.form(self)
    self.w = w
    self_form_1 = tangent.form(self)
    self.h = 0.0
    return self, (self_form, self_form_1, w)


def Cell_backward(saved, bself):
    self_form, self_form_1, w = saved
    # Grad of: self.h = 0.0
    bself = tangent.copy(bself)
    bself['h'] = tangent.zeros_at(self_form_1, 'h')
    # Grad of: self.w = w
    bw = tangent.unbroadcast(tangent.stored(bself, 'w', self_form), w)
    bself['w'] = tangent.zeros_at(self_form, 'w')
    return bw


def step_forward(self, x):
    tangent.require_class(self, Cell)
    w_self = self.w
    product = x * w_self
    h_self = self.h
    h_self_form = tangent.form(h_self)
    tanh_1 = np.tanh(product + h_self)
    self_form_2 = tangent.form(self)
    self.h = tanh_1
    return self.h, (h_self_form, product, self_form_2, tanh_1, w_self, x)


def step_backward(saved, by):
    h_self_form, product, self_form_2, tanh_1, w_self, x = saved
    # Grad of: return self.h
    bh_self_1 = by[0]
    bself = by[1]
    bself = tangent.copy(bself)
    tangent.add_at(bself, 'h', bh_self_1)
    # Grad of: self.h = np.tanh(x * self.w + self.h)
    btanh_1 = tangent.unbroadcast(tangent.stored(bself, 'h', self_form_2), tanh_1)
    bself['h'] = tangent.zeros_at(self_form_2, 'h')
    btotal = btanh_1 * (1 - tanh_1 * tanh_1)
    bproduct = tangent.unbroadcast(btotal, product)
    bh_self = tangent.unbroadcast(btotal, h_self_form)
    bself['h'] += bh_self
    bw_self = tangent.unbroadcast(bproduct * x, w_self)
    bself['w'] += bw_self
    return bself
