class C:
    def f(self):
        return t"{self.__x}"
