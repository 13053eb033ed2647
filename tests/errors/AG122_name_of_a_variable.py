import autograph as ag

count = ag.Variable(0)


@ag.function
def step(x):
    count.name = "count"
    count.assign_add(1)
    return x


step(1.0)
