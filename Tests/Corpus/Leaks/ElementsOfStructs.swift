// leak: 1 Alpha, 1 Beta, 1 Gamma
// findings: 3
// path: Alpha.next, Beta.entries, Gamma.own
// A struct in an array or a dictionary does not hold the previous contents of its `Any` buffer, nor its unowned
// references.
final class Alpha {
  var next: Alpha?
  var number = 1
}
final class Beta {
  var older: [Entry] = []
  var named: [String: Entry] = [:]
  var entries: [Entry] = []
}
final class Gamma {
  var own: Gamma?
  var number = 2
}
struct Pair {
  var first: Alpha?
  var second: Alpha?
}
struct Entry {
  var value: Any
  var isOpen = true
  var owner: Beta?
}
struct Link<Value> {
  var value: Value
  unowned let target: Gamma
}
final class Keeper { var links: [Link<Int>] = [] }
nonisolated(unsafe) let keeper = Keeper()

@inline(never) func one() -> Alpha {
  let alpha = Alpha() // ALLOC
  #if !CLEAN
  alpha.next = alpha // KEPT
  #endif
  return alpha
}
@inline(never) func two(_ alpha: Alpha) -> Int {
  let beta = Beta() // ALLOC
  beta.older = [Entry(value: Pair(first: nil, second: alpha)), Entry(value: 1)]
  beta.older[0].value = 2
  beta.named = ["a": Entry(value: Pair(first: nil, second: alpha))]
  beta.named["a"]?.value = 3
  #if !CLEAN
  beta.entries = [Entry(value: 4, owner: beta)] // KEPT
  #endif
  return beta.older.count + beta.named.count + beta.entries.count + alpha.number
}
@inline(never) func three() -> Int {
  let gamma = Gamma() // ALLOC
  keeper.links = [Link(value: 5, target: gamma)]
  #if CLEAN
  keeper.links = []
  #else
  gamma.own = gamma // KEPT
  #endif
  return gamma.number
}
print(two(one()), three()) // KEPT-CALL
