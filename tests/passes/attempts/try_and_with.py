def read(paths, limit):
    total = 0
    for path in paths:
        try:
            with open(path) as file, guard(path):
                total += len(file.read())
                if total > limit:
                    return total
        except* OSError as error:
            print(error)
        else:
            total += 1
        finally:
            total -= 1
    return total
