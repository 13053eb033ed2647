"""Programs too deep to nest, which must convert all the same; and exceptions in flight."""


def classify(n):
    if n == 0:
        return "zero"
    if n == 1:
        return "one"
    if n == 2:
        return "two"
    for i in range(3):
        if i == n - 3:
            return i
    return "many"


@converts(classify)
def case_shallow():
    return [classify(n) for n in range(8)]


def case_bare_raise_in_block():
    for i in range(2):
        try:
            try:
                [][i]
            except IndexError as error:
                if error:
                    raise
        except IndexError as again:
            kept = again.args
    return kept


def case_exception_context():
    import sys
    try:
        {}["k"]
    except KeyError:
        if sys.exc_info()[0] is KeyError:
            for i in range(1):
                try:
                    1 / i
                except ZeroDivisionError as error:
                    kept = error
    return repr(kept.__context__), sys.exc_info()


def early(x):
    y = x
    if y == 0:
        return 0
    if y == 1:
        return 1
    if y == 2:
        return 4
    if y == 3:
        return 9
    if y == 4:
        return 16
    if y == 5:
        return 25
    if y == 6:
        return 36
    if y == 7:
        return 49
    if y == 8:
        return 64
    if y == 9:
        return 81
    if y == 10:
        return 100
    if y == 11:
        return 121
    if y == 12:
        return 144
    if y == 13:
        return 169
    if y == 14:
        return 196
    if y == 15:
        return 225
    if y == 16:
        return 256
    if y == 17:
        return 289
    if y == 18:
        return 324
    if y == 19:
        return 361
    if y == 20:
        return 400
    if y == 21:
        return 441
    if y == 22:
        return 484
    if y == 23:
        return 529
    if y == 24:
        return 576
    if y == 25:
        return 625
    if y == 26:
        return 676
    if y == 27:
        return 729
    if y == 28:
        return 784
    if y == 29:
        return 841
    if y == 30:
        return 900
    if y == 31:
        return 961
    if y == 32:
        return 1024
    if y == 33:
        return 1089
    if y == 34:
        return 1156
    if y == 35:
        return 1225
    if y == 36:
        return 1296
    if y == 37:
        return 1369
    if y == 38:
        return 1444
    if y == 39:
        return 1521
    if y == 40:
        return 1600
    if y == 41:
        return 1681
    if y == 42:
        return 1764
    if y == 43:
        return 1849
    if y == 44:
        return 1936
    if y == 45:
        return 2025
    if y == 46:
        return 2116
    if y == 47:
        return 2209
    if y == 48:
        return 2304
    if y == 49:
        return 2401
    if y == 50:
        return 2500
    if y == 51:
        return 2601
    if y == 52:
        return 2704
    if y == 53:
        return 2809
    if y == 54:
        return 2916
    if y == 55:
        return 3025
    if y == 56:
        return 3136
    if y == 57:
        return 3249
    if y == 58:
        return 3364
    if y == 59:
        return 3481
    if y == 60:
        return 3600
    if y == 61:
        return 3721
    if y == 62:
        return 3844
    if y == 63:
        return 3969
    if y == 64:
        return 4096
    if y == 65:
        return 4225
    if y == 66:
        return 4356
    if y == 67:
        return 4489
    if y == 68:
        return 4624
    if y == 69:
        return 4761
    if y == 70:
        return 4900
    if y == 71:
        return 5041
    if y == 72:
        return 5184
    if y == 73:
        return 5329
    if y == 74:
        return 5476
    if y == 75:
        return 5625
    if y == 76:
        return 5776
    if y == 77:
        return 5929
    if y == 78:
        return 6084
    if y == 79:
        return 6241
    if y == 80:
        return 6400
    if y == 81:
        return 6561
    if y == 82:
        return 6724
    if y == 83:
        return 6889
    if y == 84:
        return 7056
    if y == 85:
        return 7225
    if y == 86:
        return 7396
    if y == 87:
        return 7569
    if y == 88:
        return 7744
    if y == 89:
        return 7921
    if y == 90:
        return 8100
    if y == 91:
        return 8281
    if y == 92:
        return 8464
    if y == 93:
        return 8649
    if y == 94:
        return 8836
    if y == 95:
        return 9025
    if y == 96:
        return 9216
    if y == 97:
        return 9409
    if y == 98:
        return 9604
    if y == 99:
        return 9801
    if y == 100:
        return 10000
    if y == 101:
        return 10201
    if y == 102:
        return 10404
    if y == 103:
        return 10609
    if y == 104:
        return 10816
    if y == 105:
        return 11025
    if y == 106:
        return 11236
    if y == 107:
        return 11449
    if y == 108:
        return 11664
    if y == 109:
        return 11881
    if y == 110:
        return 12100
    if y == 111:
        return 12321
    if y == 112:
        return 12544
    if y == 113:
        return 12769
    if y == 114:
        return 12996
    if y == 115:
        return 13225
    if y == 116:
        return 13456
    if y == 117:
        return 13689
    if y == 118:
        return 13924
    if y == 119:
        return 14161
    return y


@converts(early)
def case_many_early_returns():
    return [early(n) for n in (0, 60, 119, 120)]


def chain(x):
    if x == 0:
        y = 0
    elif x == 1:
        y = 1
    elif x == 2:
        y = 4
    elif x == 3:
        y = 9
    elif x == 4:
        y = 16
    elif x == 5:
        y = 25
    elif x == 6:
        y = 36
    elif x == 7:
        y = 49
    elif x == 8:
        y = 64
    elif x == 9:
        y = 81
    elif x == 10:
        y = 100
    elif x == 11:
        y = 121
    elif x == 12:
        y = 144
    elif x == 13:
        y = 169
    elif x == 14:
        y = 196
    elif x == 15:
        y = 225
    elif x == 16:
        y = 256
    elif x == 17:
        y = 289
    elif x == 18:
        y = 324
    elif x == 19:
        y = 361
    elif x == 20:
        y = 400
    elif x == 21:
        y = 441
    elif x == 22:
        y = 484
    elif x == 23:
        y = 529
    elif x == 24:
        y = 576
    elif x == 25:
        y = 625
    elif x == 26:
        y = 676
    elif x == 27:
        y = 729
    elif x == 28:
        y = 784
    elif x == 29:
        y = 841
    elif x == 30:
        y = 900
    elif x == 31:
        y = 961
    elif x == 32:
        y = 1024
    elif x == 33:
        y = 1089
    elif x == 34:
        y = 1156
    elif x == 35:
        y = 1225
    elif x == 36:
        y = 1296
    elif x == 37:
        y = 1369
    elif x == 38:
        y = 1444
    elif x == 39:
        y = 1521
    elif x == 40:
        y = 1600
    elif x == 41:
        y = 1681
    elif x == 42:
        y = 1764
    elif x == 43:
        y = 1849
    elif x == 44:
        y = 1936
    elif x == 45:
        y = 2025
    elif x == 46:
        y = 2116
    elif x == 47:
        y = 2209
    elif x == 48:
        y = 2304
    elif x == 49:
        y = 2401
    elif x == 50:
        y = 2500
    elif x == 51:
        y = 2601
    elif x == 52:
        y = 2704
    elif x == 53:
        y = 2809
    elif x == 54:
        y = 2916
    elif x == 55:
        y = 3025
    elif x == 56:
        y = 3136
    elif x == 57:
        y = 3249
    elif x == 58:
        y = 3364
    elif x == 59:
        y = 3481
    elif x == 60:
        y = 3600
    elif x == 61:
        y = 3721
    elif x == 62:
        y = 3844
    elif x == 63:
        y = 3969
    elif x == 64:
        y = 4096
    elif x == 65:
        y = 4225
    elif x == 66:
        y = 4356
    elif x == 67:
        y = 4489
    elif x == 68:
        y = 4624
    elif x == 69:
        y = 4761
    elif x == 70:
        y = 4900
    elif x == 71:
        y = 5041
    elif x == 72:
        y = 5184
    elif x == 73:
        y = 5329
    elif x == 74:
        y = 5476
    elif x == 75:
        y = 5625
    elif x == 76:
        y = 5776
    elif x == 77:
        y = 5929
    elif x == 78:
        y = 6084
    elif x == 79:
        y = 6241
    elif x == 80:
        y = 6400
    elif x == 81:
        y = 6561
    elif x == 82:
        y = 6724
    elif x == 83:
        y = 6889
    elif x == 84:
        y = 7056
    elif x == 85:
        y = 7225
    elif x == 86:
        y = 7396
    elif x == 87:
        y = 7569
    elif x == 88:
        y = 7744
    elif x == 89:
        y = 7921
    elif x == 90:
        y = 8100
    elif x == 91:
        y = 8281
    elif x == 92:
        y = 8464
    elif x == 93:
        y = 8649
    elif x == 94:
        y = 8836
    elif x == 95:
        y = 9025
    elif x == 96:
        y = 9216
    elif x == 97:
        y = 9409
    elif x == 98:
        y = 9604
    elif x == 99:
        y = 9801
    elif x == 100:
        y = 10000
    elif x == 101:
        y = 10201
    elif x == 102:
        y = 10404
    elif x == 103:
        y = 10609
    elif x == 104:
        y = 10816
    elif x == 105:
        y = 11025
    elif x == 106:
        y = 11236
    elif x == 107:
        y = 11449
    elif x == 108:
        y = 11664
    elif x == 109:
        y = 11881
    elif x == 110:
        y = 12100
    elif x == 111:
        y = 12321
    elif x == 112:
        y = 12544
    elif x == 113:
        y = 12769
    elif x == 114:
        y = 12996
    elif x == 115:
        y = 13225
    elif x == 116:
        y = 13456
    elif x == 117:
        y = 13689
    elif x == 118:
        y = 13924
    elif x == 119:
        y = 14161
    else:
        y = None
    return y


@converts(chain)
def case_long_elif():
    return [chain(n) for n in (0, 60, 119, 120)]


def skips(xs):
    out = []
    for x in xs:
        if x == 0:
            continue
        if x == 1:
            continue
        if x == 2:
            continue
        if x == 3:
            continue
        if x == 4:
            continue
        if x == 5:
            continue
        if x == 6:
            continue
        if x == 7:
            continue
        if x == 8:
            continue
        if x == 9:
            continue
        if x == 10:
            continue
        if x == 11:
            continue
        if x == 12:
            continue
        if x == 13:
            continue
        if x == 14:
            continue
        if x == 15:
            continue
        if x == 16:
            continue
        if x == 17:
            continue
        if x == 18:
            continue
        if x == 19:
            continue
        if x == 20:
            continue
        if x == 21:
            continue
        if x == 22:
            continue
        if x == 23:
            continue
        if x == 24:
            continue
        if x == 25:
            continue
        if x == 26:
            continue
        if x == 27:
            continue
        if x == 28:
            continue
        if x == 29:
            continue
        if x == 30:
            continue
        if x == 31:
            continue
        if x == 32:
            continue
        if x == 33:
            continue
        if x == 34:
            continue
        if x == 35:
            continue
        if x == 36:
            continue
        if x == 37:
            continue
        if x == 38:
            continue
        if x == 39:
            continue
        if x == 40:
            continue
        if x == 41:
            continue
        if x == 42:
            continue
        if x == 43:
            continue
        if x == 44:
            continue
        if x == 45:
            continue
        if x == 46:
            continue
        if x == 47:
            continue
        if x == 48:
            continue
        if x == 49:
            continue
        if x == 50:
            continue
        if x == 51:
            continue
        if x == 52:
            continue
        if x == 53:
            continue
        if x == 54:
            continue
        if x == 55:
            continue
        if x == 56:
            continue
        if x == 57:
            continue
        if x == 58:
            continue
        if x == 59:
            continue
        if x == 60:
            continue
        if x == 61:
            continue
        if x == 62:
            continue
        if x == 63:
            continue
        if x == 64:
            continue
        if x == 65:
            continue
        if x == 66:
            continue
        if x == 67:
            continue
        if x == 68:
            continue
        if x == 69:
            continue
        if x == 70:
            continue
        if x == 71:
            continue
        if x == 72:
            continue
        if x == 73:
            continue
        if x == 74:
            continue
        if x == 75:
            continue
        if x == 76:
            continue
        if x == 77:
            continue
        if x == 78:
            continue
        if x == 79:
            continue
        if x == 80:
            continue
        if x == 81:
            continue
        if x == 82:
            continue
        if x == 83:
            continue
        if x == 84:
            continue
        if x == 85:
            continue
        if x == 86:
            continue
        if x == 87:
            continue
        if x == 88:
            continue
        if x == 89:
            continue
        if x == 90:
            continue
        if x == 91:
            continue
        if x == 92:
            continue
        if x == 93:
            continue
        if x == 94:
            continue
        if x == 95:
            continue
        if x == 96:
            continue
        if x == 97:
            continue
        if x == 98:
            continue
        if x == 99:
            continue
        if x == 100:
            continue
        if x == 101:
            continue
        if x == 102:
            continue
        if x == 103:
            continue
        if x == 104:
            continue
        if x == 105:
            continue
        if x == 106:
            continue
        if x == 107:
            continue
        if x == 108:
            continue
        if x == 109:
            continue
        if x == 110:
            continue
        if x == 111:
            continue
        if x == 112:
            continue
        if x == 113:
            continue
        if x == 114:
            continue
        if x == 115:
            continue
        if x == 116:
            continue
        if x == 117:
            continue
        if x == 118:
            continue
        if x == 119:
            continue
        out.append(x)
    return out


@converts(skips)
def case_many_continues():
    return skips([5, 119, 120, 121])
