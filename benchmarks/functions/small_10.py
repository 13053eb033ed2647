def collect(limit, step):
    total = 0
    for value in range(limit):
        if value % 2:
            continue
        if value > step:
            break
        total += value
        step = step - total
    return total
