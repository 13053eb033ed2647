def f_tangent(rate, drate):
    tangent.check_seed(drate, rate)
    drate = tangent.copy_containers(drate)
    account = Account(100.0)
    daccount = tangent.zeros_like(account)
    grow_gives_and_written, (dnew_account,) = grow_tangent(account, rate, dself=daccount, drate=drate)
    daccount = dnew_account
    grow_gives_1_and_written, (dnew_account_1,) = grow_tangent(account, rate, dself=daccount, drate=drate)
    daccount = dnew_account_1
    balance_account = account.balance
    dbalance_account = daccount['balance']
    count_account = account.count
    dcount_account = daccount['count']
    y = balance_account * count_account
    return tangent.broadcast(dbalance_account * count_account + balance_account * dcount_account, y)


def grow_tangent(self, rate, dself, drate):
    tangent.require_class(self, Account)
    dself = tangent.copy(dself)
    balance_self = self.balance
    dbalance_self = dself['balance']
    product = balance_self * rate
    dproduct = tangent.copy(tangent.broadcast(dbalance_self * rate + balance_self * drate, product))
    self.balance = product
    dself['balance'] = tangent.storable(dproduct, self)
    count_1 = self.count
    dcount_1 = dself['count']
    tangent.require_number(count_1, 'count_1', 'self')
    tangent.require_number(count_1, 'count_1', 'self')
    count_1 += 1
    dcount_1 = tangent.broadcast(dcount_1, count_1)
    self.count = count_1
    dself['count'] = tangent.storable(dcount_1, self)
    return None, (dself,)
