"""`try` in all its forms, and tries in tries."""


def nested_tries(x):
    try:
        try:
            try:
                try:
                    try:
                        try:
                            try:
                                try:
                                    return 1 / x
                                finally:
                                    x += 1
                            finally:
                                x += 1
                        finally:
                            x += 1
                    finally:
                        x += 1
                finally:
                    x += 1
            finally:
                x += 1
        finally:
            x += 1
    except ZeroDivisionError:
        return x


@converts(nested_tries)
def case_left_tries_too_deep_for_cpython():
    return nested_tries(0), nested_tries(2)
