// leak: 1 Cache, 1 RecentPolicy
// path: Cache.policy, RecentPolicy.onEvict, closure
// change: in the closure at main.swift:28 ([weak self])
// A generic closure that the optimizer specialized and called through a thunk still has its own line and captures.
protocol Policy: AnyObject {
  associatedtype Key: Hashable
  func touch(_ key: Key)
  var onEvict: ((Key) -> Void)? { get set }
}
final class RecentPolicy<Key: Hashable>: Policy {
  private var order: [Key] = []
  var onEvict: ((Key) -> Void)?
  func touch(_ key: Key) {
    order.removeAll { $0 == key }
    order.append(key)
    if order.count > 2 { onEvict?(order.removeFirst()) }
  }
}
final class Cache<Key, Value, P: Policy> where P.Key == Key {
  private var values: [Key: Value] = [:]
  private let policy: P
  private(set) var evicted = 0
  init(policy: P) {
    self.policy = policy
    #if CLEAN
    policy.onEvict = { [unowned self] key in evict(key) }
    #else
    policy.onEvict = { key in // KEPT
      self.values[key] = nil
      self.evicted += 1
    }
    #endif
  }
  private func evict(_ key: Key) { values[key] = nil }
  func set(_ key: Key, _ value: Value) {
    values[key] = value
    policy.touch(key)
  }
}
@inline(never) func run(_ count: Int) -> Int {
  let cache = Cache<Int, String, RecentPolicy<Int>>(policy: RecentPolicy()) // ALLOC KEPT-CALL
  for index in 0..<count { cache.set(index, "value \(index)") }
  return cache.evicted
}
print(run(7))
