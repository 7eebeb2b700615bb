// leak: 1 Token
// path: closure
// A closure that calls itself through the variable that holds it, and an object that it uses.
final class Token { var uses = 0 }
@inline(never) func count(_ limit: Int) -> Int {
  let token = Token() // ALLOC
  var next: ((Int) -> Void)?
  next = { left in // KEPT
    token.uses += 1
    if left > 0 { next?(left - 1) }
  }
  next?(limit)
  #if CLEAN
  next = nil
  #endif
  return token.uses
}
print(count(CommandLine.arguments.count + 4))
