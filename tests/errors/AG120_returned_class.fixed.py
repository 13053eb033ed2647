# call: f(2.0)
def f(x):
    class Model:
        rate = x

    return Model.rate
