# call: f(np.arange(3.0), np.int64(5))


class Section:
    def __enter__(self):
        print("begin")

    def __exit__(self, *error):
        print("end")


def f(xs, i):
    with Section():
        return xs[i]
