// leak: 1 Alpha, 1 Beta
// findings: 2
// path: Alpha.next, Beta.content
// Previous contents stay in the buffer of an `Any`: they hold nothing, and do not join two leaks.
final class Alpha {
  var next: Alpha?
  var number = 1
}
final class Beta {
  var content: Any = 0
  var others: [Any] = []
}
struct Pair {
  var first: Alpha?
  var second: Alpha?
}
@inline(never) func one() -> Alpha {
  let alpha = Alpha() // ALLOC
  #if !CLEAN
  alpha.next = alpha // KEPT
  #endif
  return alpha
}
@inline(never) func two(_ alpha: Alpha) -> Int {
  let beta = Beta() // ALLOC
  beta.content = Pair(first: nil, second: alpha)
  beta.others = [Pair(first: nil, second: alpha), 1]
  beta.others[0] = 2
  #if CLEAN
  beta.content = 3
  #else
  beta.content = beta // KEPT
  #endif
  return beta.others.count + alpha.number
}
print(two(one())) // KEPT-CALL
