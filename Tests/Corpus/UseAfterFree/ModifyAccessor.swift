// class: Account
// kind: use-after-free
// A property is changed in place: the class's modify coroutine is called, and resumed at the end.
class Account { var balance = 10 }
class SavingsAccount: Account { override var balance: Int { didSet { _ = oldValue } } }
final class Bank { var account: Account? }
@inline(never) func open(_ bank: Bank) -> Unmanaged<Account> {
  bank.account = Account() // ALLOC
  return .passUnretained(bank.account!)
}
@inline(never) func close(_ bank: Bank) {
  bank.account = nil // FREE
}
@inline(never) func raise(_ account: Unmanaged<Account>) {
  let account = account.takeUnretainedValue() // ACCESS
  account.balance += 5 // ACCESS
}
let bank = Bank()
let account = open(bank)
#if !CLEAN
close(bank)
#endif
raise(account) // ACCESS-CALL
close(bank)
print("end")
