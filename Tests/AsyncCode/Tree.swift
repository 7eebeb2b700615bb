// Asynchronous functions of many shapes that call one another at random, each with the path by which it was called.
// Every object created is printed with that path, which its backtrace must match.
import Dispatch
import Glibc

final class Made: Sendable {
  let value: Int
  init(_ value: Int) { self.value = value }
}

let queue = DispatchQueue(label: "resumes")
nonisolated(unsafe) var kept: [Made] = []
nonisolated(unsafe) var mutex = pthread_mutex_t()

/// The functions called to get here, the task's first one first, as one letter each.
typealias Path = String

struct Randomness {
  var state: UInt64
  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % limit
  }
}

@inline(never) func note(_ path: Path) {
  let made = Made(path.utf8.count)
  pthread_mutex_lock(&mutex)
  kept.append(made)
  var task: UInt64 = 0
  withUnsafeCurrentTask { task = $0.map { number(of: $0) } ?? 0 }
  print("made", UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), task, path)
  pthread_mutex_unlock(&mutex)
}

@_silgen_name("swift_task_getCurrent") func currentTask() -> UnsafeRawPointer?
@_silgen_name("swift_task_getJobTaskId") func number(_ task: UnsafeRawPointer) -> UInt64
func number(of task: UnsafeCurrentTask) -> UInt64 { currentTask().map(number) ?? 0 }

/// Frames in between that use every register.
@inline(never) func noteDeep(_ path: Path, _ depth: Int, _ a: Int, _ b: Int, _ c: Int) -> Int {
  if depth == 0 { note(path); return a }
  let sum = noteDeep(path, depth - 1, b &+ a, c ^ a, a &* 3)
  return sum &+ a &+ b &* c
}

@inline(never) func noteInSort(_ path: Path) -> Int {
  var first = true
  let sorted = [5, 3, 9, 1].sorted { a, b in
    if first { first = false; note(path) }
    return a < b
  }
  return sorted[0]
}

protocol Stepping: Sendable { func step_p(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int }
struct Stepper<Value: Sendable>: Stepping {
  let value: Value
  @inline(never) func step_p(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
    note(path + "p")
    let result = await step_n(path + "p", depth - 1, seed &+ 1)
    _ = noteInSort(path + "p")
    return result + MemoryLayout<Value>.size
  }
}

struct Failure: Error {}

actor Store {
  var total = 0
  @inline(never) func step_b(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
    note(path + "b")
    total += 1
    let result = await step_n(path + "b", depth - 1, seed &+ 2)
    note(path + "b")
    total &+= result
    return total
  }
}
let store = Store()

@inline(never) func step_a(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  var sum = 0, random = Randomness(state: seed)
  for _ in 0..<2 {
    note(path + "a")
    sum &+= await step_n(path + "a", depth - 1, UInt64(random.below(1 << 20)))
    sum &+= noteDeep(path + "a", 3, sum, depth, 7)
  }
  return sum
}

@inline(never) func step_c(_ path: Path, _ depth: Int, _ seed: UInt64) async throws -> Int {
  note(path + "c")
  let result = await step_n(path + "c", depth - 1, seed &+ 3)
  note(path + "c")
  if result % 3 == 0 { throw Failure() }
  return result
}

@inline(never) func step_d(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  async let one = step_n("", depth - 2, seed &+ 4)
  async let two = step_n("", depth - 2, seed &+ 5)
  note(path + "d")
  let sum = await one &+ two
  return noteDeep(path + "d", 2, sum, 1, 2)
}

@inline(never) func step_e(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for index in 0..<2 { group.addTask { await step_n("", depth - 2, seed &+ UInt64(index)) } }
    var sum = 0
    for await value in group { sum &+= value }
    return sum
  }
}

@inline(never) func step_f(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  note(path + "f")
  let value: Int = await withCheckedContinuation { continuation in
    queue.async { continuation.resume(returning: Int(seed % 7)) }
  }
  note(path + "f")
  let result = await step_n(path + "f", depth - 1, seed &+ 6)
  return noteDeep(path + "f", 1, result, value, 0)
}

@MainActor @inline(never) func step_h(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  note(path + "h")
  let result = await step_n(path + "h", depth - 1, seed &+ 7)
  return noteDeep(path + "h", 2, result, 3, 1)
}

@inline(never) func step_i(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  await Task.yield()
  note(path + "i")
  try? await Task.sleep(nanoseconds: 1000)
  note(path + "i")
  return await step_n(path + "i", depth - 1, seed &+ 8)
}

/// Many values live across the calls, so that the context is spilled.
@inline(never) func step_j(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  let a = Int(seed % 11), b = Int(seed % 13), c = Int(seed % 17), d = Int(seed % 19), e = Int(seed % 23)
  var w = a &* b, x = b &* c, y = c &* d, z = d &* e, v = e &* a
  for round in 0..<3 {
    note(path + "j")
    w &+= x ^ round; x &+= y &* a; y &+= z &* b; z &+= v &* c; v &+= w &* d
    if w & 1 == 0 { _ = noteInSort(path + "j") } else { v ^= noteDeep(path + "j", 2, w, x, y) }
  }
  let result = await step_n(path + "j", depth - 1, seed &+ 9)
  note(path + "j")
  return w &+ x &+ y &+ z &+ v &+ result
}

@inline(never) func apply(_ body: @Sendable (Int) async -> Int, _ value: Int) async -> Int { await body(value) }

@inline(never) func step_k(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  note(path + "k")
  let result = await apply({ await step_n(path + "k", depth - 1, seed &+ UInt64($0)) }, 3)
  note(path + "k")
  return result
}

@inline(never) func step_l(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  note(path + "l")
  let inner = await Task.detached { await step_n("", depth - 2, seed &+ 10) }.value
  note(path + "l")
  return inner
}

@inline(never) func step_n(_ path: Path, _ depth: Int, _ seed: UInt64) async -> Int {
  let path = path + "n"
  if depth <= 0 { return noteDeep(path, 1, Int(seed % 5), 1, 1) }
  var random = Randomness(state: seed)
  switch random.below(12) {
  case 0: return await step_a(path, depth, seed)
  case 1: return await store.step_b(path, depth, seed)
  case 2: return (try? await step_c(path, depth, seed)) ?? 1
  case 3: return await step_d(path, depth, seed)
  case 4: return await step_e(path, depth, seed)
  case 5: return await step_f(path, depth, seed)
  case 6: return await step_h(path, depth, seed)
  case 7: return await step_i(path, depth, seed)
  case 8: return await step_j(path, depth, seed)
  case 9: return await step_k(path, depth, seed)
  case 10: return await step_l(path, depth, seed)
  default:
    return await (seed % 2 == 0 ? Stepper(value: 1) as any Stepping : Stepper(value: "text") as any Stepping)
      .step_p(path, depth, seed)
  }
}

var sum = 0
for seed in 0..<60 as Range<UInt64> { sum &+= await step_n("", 9, seed &* 977) }
print("sum", sum)
