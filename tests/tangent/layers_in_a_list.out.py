def dfdw(w, x, by=1.0):
    net, saved_net = Net_forward(Net, w, 4)
    net_x, saved_net_x = Net_call_forward(net, x)
    layers_net = net.layers
    item = layers_net[0]
    tangent.require_class(item, Layer)
    w_1 = item.w
    tangent.check_seed(by, net_x * w_1)
    # Grad of: return net(x) * net.layers[0].w
    bnet_x = tangent.unbroadcast(by * w_1, net_x)
    bw_1 = tangent.unbroadcast(by * net_x, w_1)
    bitem = tangent.zeros_like(item)
    bitem['w'] += bw_1
    blayers_net = tangent.zeros_like(layers_net)
    tangent.add_at(blayers_net, 0, bitem)
    bnet = tangent.zeros_like(net)
    tangent.add_at(bnet, 'layers', blayers_net)
    bnet = tangent.add_grad(bnet, Net_call_backward(saved_net_x, bnet_x))
    # Grad of: net = Net(w, 4)
    bw = Net_backward(saved_net, bnet)
    return tangent.as_gradient(bw, w)


def Net_forward(cls, w, depth):
    self = cls.__new__(cls)
    items_1 = []
    k_values = []
    saved_Layer_1_values = []
    for item in range(1, depth):
        k = item
        Layer_1, saved_Layer_1 = Layer_forward(Layer, w * k)
        items_1.append(Layer_1)
        k_values.append(k)
        saved_Layer_1_values.append(saved_Layer_1)
    self_form = tangent.form(self)
    self.layers = items_1
    return self, (depth, items_1, k_values, saved_Layer_1_values, self_form, w)


def Net_backward(saved, bself):
    depth, items, k_values, saved_Layer_1_values, self_form, w = saved
    k_values = k_values.copy()
    saved_Layer_1_values = saved_Layer_1_values.copy()
    # Grad of: self.layers = [Layer(w * k) for k in range(1, depth)]
    bself = tangent.copy(bself)
    bitems = tangent.unbroadcast(tangent.stored(bself, 'layers', self_form), items)
    bself['layers'] = tangent.zeros_at(self_form, 'layers')
    bitems_1 = bitems
    bitems_1 = tangent.copy(bitems_1)
    bw = tangent.zeros_like(w)
    for item in reversed(range(1, depth)):
        k = k_values.pop()
        # Grad of: self.layers = [Layer(w * k) for k in range(1, depth)]
        bw += Layer_backward(saved_Layer_1_values.pop(), bitems_1.pop()) * k
    return bw


def Net_call_forward(self, x):
    tangent.require_class(self, Net)
    items = self.layers
    tangent.require_sequence(items, 'self.layers')
    saved_x_values = []
    for i in range(len(items)):
        layer = items[i]
        tangent.require_class(layer, Layer)
        x, saved_x = Layer_call_forward(layer, x)
        saved_x_values.append(saved_x)
    return x, (items, saved_x_values, self)


def Net_call_backward(saved, bx):
    items, saved_x_values, self = saved
    saved_x_values = saved_x_values.copy()
    bitems = tangent.zeros_like(items)
    for i in reversed(range(len(items))):
        # Grad of: x = layer(x)
        blayer, bx = Layer_call_backward(saved_x_values.pop(), bx)
        # Grad of: for layer in self.layers:
        tangent.add_at(bitems, i, blayer)
    # Grad of: for layer in self.layers:
    bself = tangent.zeros_like(self)
    tangent.add_at(bself, 'layers', bitems)
    return bself


def Layer_forward(cls, w):
    self = cls.__new__(cls)
    self_form = tangent.form(self)
    self.w = w
    return self, (self_form, w)


def Layer_backward(saved, bself):
    self_form, w = saved
    # Grad of: self.w = w
    bself = tangent.copy(bself)
    bw = tangent.unbroadcast(tangent.stored(bself, 'w', self_form), w)
    bself['w'] = tangent.zeros_at(self_form, 'w')
    return bw


def Layer_call_forward(self, x):
    tangent.require_class(self, Layer)
    w_self = self.w
    y = np.tanh(x * w_self)
    return y, (self, w_self, x, y)


def Layer_call_backward(saved, by):
    self, w_self, x, y = saved
    # Grad of: return np.tanh(x * self.w)
    bproduct = by * (1 - y * y)
    bx = tangent.unbroadcast(bproduct * w_self, x)
    bw_self = tangent.unbroadcast(bproduct * x, w_self)
    bself = tangent.zeros_like(self)
    bself['w'] += bw_self
    return bself, bx
