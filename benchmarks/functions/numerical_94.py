def solve(matrix, right, tolerance, limit, omega, trace):
    """Relaxation with pivoting, restarts and a line search: nested loops and every jump."""
    n = len(right)
    x = [0.0] * n
    order = list(range(n))
    history = []
    restarts = 0
    best = None
    for column in range(n):
        pivot = column
        largest = 0.0
        for row in range(column, n):
            size = abs(matrix[order[row]][column])
            if size > largest:
                largest = size
                pivot = row
        if largest == 0.0:
            return None, column, "singular"
        if pivot != column:
            swap = order[column]
            order[column] = order[pivot]
            order[pivot] = swap
    step = 0
    while step < limit:
        step += 1
        change = 0.0
        for i in range(n):
            row = order[i]
            diagonal = matrix[row][i]
            if abs(diagonal) < 1e-30:
                continue
            total = right[row]
            for j in range(n):
                if j == i:
                    continue
                coefficient = matrix[row][j]
                if coefficient == 0.0:
                    continue
                total -= coefficient * x[j]
                if total != total:
                    break
            if total != total:
                return x, step, "not a number"
            new = (1.0 - omega) * x[i] + omega * total / diagonal
            difference = abs(new - x[i])
            if difference > change:
                change = difference
            x[i] = new
        history.append(change)
        if change < tolerance:
            break
        if best is None or change < best:
            best = change
        elif change > 1e6 * best:
            restarts += 1
            if restarts > 3:
                return x, step, "diverged"
            omega = omega * 0.5
            for i in range(n):
                x[i] = 0.0
            best = None
            continue
        if step > 5 and history[-1] == history[-2]:
            if omega < 1.0:
                omega = 1.0
            else:
                break
    else:
        return x, step, "limit"
    residual = 0.0
    worst = -1
    for i in range(n):
        row = order[i]
        total = right[row]
        for j in range(n):
            total -= matrix[row][j] * x[j]
        size = abs(total)
        if size > residual:
            residual = size
            worst = i
    scale = 1.0
    while scale > 1e-3:
        if residual <= tolerance * 10.0:
            break
        scale = scale / 2.0
        for i in range(n):
            if i == worst:
                x[i] = x[i] * (1.0 + scale * 1e-3)
                continue
            x[i] = x[i] * (1.0 - scale * 1e-6)
        residual = residual * scale
    if residual > tolerance * 100.0 and not trace:
        return x, step, "inaccurate"
    return x, step, "solved"
