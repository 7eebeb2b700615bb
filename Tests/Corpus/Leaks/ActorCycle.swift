// leak: 1 Bank, 1 Account
// path: Bank.accounts, Account.bank
// An actor and a class that it guards hold each other.
actor Bank {
  var accounts: [Account] = []
  func open() {
    let account = Account() // ALLOC
    #if !CLEAN
    account.bank = self // KEPT
    #endif
    accounts.append(account)
  }
  var count: Int { accounts.count }
}
final class Account { var bank: Bank? }
@inline(never) func run() async -> Int {
  let bank = Bank() // ALLOC
  await bank.open() // KEPT-CALL
  return await bank.count
}
print(await run())
