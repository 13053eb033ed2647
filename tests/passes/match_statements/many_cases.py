def f(x):
    match x:
        case 0:
            x = -x
        case 1:
            x = -x
        case 2:
            x = -x
        case 3:
            x = -x
        case 4:
            x = -x
        case 5:
            x = -x
        case 6:
            x = -x
        case 7:
            x = -x
        case 8:
            x = -x
        case 9:
            x = -x
        case 10:
            x = -x
        case 11:
            x = -x
        case 12:
            x = -x
        case 13:
            x = -x
        case 14:
            x = -x
        case 15:
            x = -x
        case 16:
            x = -x
        case 17:
            x = -x
        case 18:
            x = -x
        case 19:
            x = -x
        case 20:
            x = -x
    return x
