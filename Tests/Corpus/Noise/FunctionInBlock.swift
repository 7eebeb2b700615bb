// A promise gives its own methods away as functions: the block that waits for its time calls a closure, and that one
// calls such a function, which holds the promise.
import Dispatch
struct Failure: Error {}
final class Promise {
  typealias Work = (_ fulfill: @escaping (Int) -> Void, _ reject: @escaping (Error) -> Void) -> Void
  private var work: Work?
  private var ends: [() -> Void] = []
  init(work: @escaping Work) { self.work = { fulfill, reject in work(fulfill, reject) } }
  func fulfill(_ value: Int) { end() }
  func reject(_ error: Error) { end() }
  private func end() {
    let all = ends
    ends = []
    work = nil
    all.forEach { $0() }
  }
  private func begin() -> (() -> Void)? {
    guard let work else { return nil }
    return { work(self.fulfill, self.reject) }
  }
  @discardableResult func finally(_ block: @escaping () -> Void) -> Promise {
    begin()?()
    let next = Promise { _, _ in }
    ends.append { block(); next.fulfill(0) }
    return next
  }
}
let clock = DispatchQueue(label: "clock")
func delay(_ block: @escaping () -> Void) {
  clock.asyncAfter(deadline: .now() + .milliseconds(20)) { block() }
}
@inline(never) func run() {
  let ended = DispatchSemaphore(value: 0)
  Promise { _, reject in
    delay {
      reject(Failure())
    }
  }.finally { ended.signal() }
  ended.wait()
  clock.sync {}
}
for _ in 0..<4 { run() }
print("end")
