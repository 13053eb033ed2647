def f(texts):
    return [eval(text) for text in texts]
