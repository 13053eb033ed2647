def search(rows, wanted):
    for r, row in enumerate(rows):
        for c in range(len(row)):
            if row[c] < 0:
                continue
            if row[c] == wanted:
                return r, c
            if row[c] > 100:
                break
    return None
