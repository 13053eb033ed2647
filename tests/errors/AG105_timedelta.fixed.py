# call: f(np.int64(2))
import datetime

STEP = datetime.timedelta(days=1)


def f(n):
    return STEP.total_seconds() * n
