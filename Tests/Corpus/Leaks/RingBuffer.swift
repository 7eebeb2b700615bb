// leak: 2 Pipeline, 2 Ring.Storage
// path: Pipeline.ring.storage, Ring.Storage.base, closure
// change: weakly or unowned in
// Closures in a buffer of the program's own.
struct Ring {
  typealias Element = (Int) -> Int
  final class Storage {
    let base: UnsafeMutablePointer<Element>
    let capacity: Int
    var head = 0, count = 0
    init(capacity: Int) { base = .allocate(capacity: capacity); self.capacity = capacity }
    deinit {
      for i in 0..<count { (base + (head + i) % capacity).deinitialize(count: 1) }
      base.deallocate()
    }
  }
  private let storage: Storage
  init(capacity: Int) { storage = Storage(capacity: capacity) }
  var count: Int { storage.count }
  func push(_ e: @escaping Element) {
    let s = storage
    precondition(s.count < s.capacity)
    (s.base + (s.head + s.count) % s.capacity).initialize(to: e)
    s.count += 1
  }
  func pop() -> Element? {
    let s = storage
    guard s.count > 0 else { return nil }
    defer { s.head = (s.head + 1) % s.capacity; s.count -= 1 }
    return (s.base + s.head).move()
  }
}
final class Pipeline {
  private let ring = Ring(capacity: 8)
  private var offset = 7
  func stage(_ k: Int) {
    #if CLEAN
    ring.push { [weak self] in $0 * k + (self?.offset ?? 0) }
    #else
    ring.push { $0 * k + self.offset }  // KEPT
    #endif
  }
  func run(_ v: Int, steps: Int) -> Int { var v = v; for _ in 0..<steps { if let f = ring.pop() { v = f(v) } }; return v }
}
func work(_ n: Int) -> Int { let p = Pipeline(); for k in 1...6 { p.stage(k) }; return p.run(n, steps: 3) }
print(work(1), work(2))
