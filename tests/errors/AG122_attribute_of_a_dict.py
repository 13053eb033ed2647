# call: f(model, np.float64(1.0))


class Model:
    def apply(self, x):
        vars(self)["last"] = x
        return x * 2


model = Model()


def f(model, x):
    return model.apply(x)
