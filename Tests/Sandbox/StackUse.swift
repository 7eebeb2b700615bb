// Prints how many bytes of an alternate signal stack each operation needs in a handler, first in a fresh thread, then
// again.
import Foundation

class Base { var value = 0 }
final class Plain: Base {}
final class Watched { weak var other: Watched?; unowned var owner: Base; init(_ owner: Base) { self.owner = owner } }
final class Generic<T> { var value: T; init(_ value: T) { self.value = value } }
struct Tag<T> {}
protocol Shape { var area: Int { get } }
struct Large: Shape { var a = 1, b = 2, c = 3, d = 4, e = 5; var area: Int { a + b + c + d + e } }
struct Failure: Error { var code = 1 }

nonisolated(unsafe) var shared = Base()
nonisolated(unsafe) var kept: [AnyObject] = []
nonisolated(unsafe) var operation = 0

@inline(never) func fail() throws { throw Failure() }
@inline(never) func deep(_ depth: Int) -> Int { depth == 0 ? retain() : deep(depth - 1) + 1 }
@inline(never) func retain() -> Int { let own = shared; return withExtendedLifetime(own) { own.value } }

let operations: [(name: String, run: () -> Void)] = [
  ("retain", { _ = retain() }),
  (
    "allocate",
    {
      let object = Plain(); withExtendedLifetime(object) {}
    }
  ),
  (
    "new class",
    {
      let object = Generic<Tag<Plain>?>(nil); withExtendedLifetime(object) {}
    }
  ),
  (
    "weak and unowned",
    {
      let one = Watched(shared), two = Watched(shared); one.other = two; _ = one.other?.owner.value
    }
  ),
  (
    "existential",
    {
      let shape: any Shape = Large(); _ = shape.area
    }
  ),
  ("error", { do { try fail() } catch { _ = error } }),
  ("twenty frames", { _ = deep(20) }),
  ("many frees", { for _ in 0..<200 { let object = Plain(); withExtendedLifetime(object) {} } }),
]

let size = 256 << 10, paint: UInt8 = 0xA5

/// Runs the operation twice in a handler on a painted stack; returns how many bytes each run used.
@Sendable func measure() -> [Int] {
  let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
  var alternate = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
  sigaltstack(&alternate, nil)
  var used: [Int] = []
  for _ in 0..<2 {
    memset(memory, Int32(paint), size)
    pthread_kill(pthread_self(), SIGUSR1)
    var untouched = 0
    while memory.load(fromByteOffset: untouched, as: UInt8.self) == paint { untouched += 1 }
    used.append(size - untouched)
  }
  return used
}

var none = sigset_t()  // the test's threads block signals, and its children inherit that
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)
var action = sigaction()
action.__sigaction_handler.sa_handler = { _ in operations[operation].run() }
action.sa_flags = SA_ONSTACK
sigaction(SIGUSR1, &action, nil)
for index in operations.indices {
  operation = index
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var used: [Int] = []
  Thread {
    used = measure(); done.signal()
  }.start()
  done.wait()
  print(operations[index].name, used[0], used[1], separator: "\t")
}
