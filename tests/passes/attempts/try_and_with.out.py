def outer(ag__):
    def read(paths, limit):
        total = 0
        for path in paths:
            try:
                with ag__.attempt():
                    with ag__.entered(ag__.converted_call(open, path)) as file:
                        with ag__.entered(ag__.converted_call(guard, path)):
                            total += ag__.converted_call(len, ag__.converted_call(file.read))
                            if total > limit:
                                return total
            except* OSError as error:
                ag__.converted_call(print, error)
            else:
                total += 1
            finally:
                total -= 1
        return total
    return read
