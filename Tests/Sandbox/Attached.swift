// Programs for testing `lifeline attach` (AttachTests, Scripts/prove-attach): each does one sort of work until its
// standard input ends, continuously checks its own results, and prints the outcome at the end.
//
//   Attached SORT      idle, single, busy, malloc, arrays, waits, vectors, handlers, dispatch, tasks
import Dispatch
import Foundation
import Synchronization

final class Node {
  let value: Int
  var next: Node?
  init(_ value: Int) { self.value = value }
}

/// The problems, each sort once.
let wrong = Mutex<Set<String>>([])
func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
  if !isRight {
    let text = what()
    wrong.withLock { _ = $0.insert(text) }
  }
}

// The Glibc module lacks these.
let epoll_create1 = unsafeBitCast(dlsym(nil, "epoll_create1"), to: (@convention(c) (Int32) -> Int32).self)
let epoll_wait = unsafeBitCast(
  dlsym(nil, "epoll_wait"), to: (@convention(c) (Int32, UnsafeMutableRawPointer, Int32, Int32) -> Int32).self)

let isOver = Atomic(false)
let rounds = Atomic(0)

/// Allocates, retains, releases and frees objects; returns 499,500.
@inline(never) func work(_ shared: Node) -> Int {
  var sum = 0
  var list: Node?
  for value in 0..<1000 {
    let node = Node(value)
    node.next = value % 10 == 0 ? nil : list
    list = node
    let three = [shared, shared, node]
    sum += three[2].value + three[0].value
  }
  return sum
}

final class Threads: Sendable {
  private let started = Mutex<[pthread_t]>([])

  func start(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    for index in 0..<count {
      var thread = pthread_t()
      let box = Unmanaged.passRetained(Body { body(index) })
      pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().call()
          return nil
        }, box.toOpaque())
      started.withLock { $0.append(thread) }
    }
  }

  func join() { for thread in started.withLock({ $0 }) { pthread_join(thread, nil) } }
}

final class Body: Sendable {
  let call: @Sendable () -> Void
  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}

/// Whether standard input has ended.
func hasEnded(waiting milliseconds: Int32) -> Bool {
  var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
  let count = poll(&input, 1, milliseconds)
  check(count >= 0, "poll: \(errno)")
  var byte: UInt8 = 0
  return count > 0 && read(0, &byte, 1) <= 0
}

func until(_ body: () -> Void) {
  while !isOver.load(ordering: .relaxed) {
    body()
    rounds.add(1, ordering: .relaxed)
  }
}

func busy(_ threads: Threads) {
  nonisolated(unsafe) let shared = Node(0)
  threads.start(4) { _ in until { check(work(shared) == 499_500, "a sum is wrong") } }
}

/// Arrays grow and are emptied all the time, so that a detour that is made is met at once.
func arrays(_ threads: Threads) {
  threads.start(2) { _ in
    var kept: [Node] = []
    until {
      for value in 0..<8 { kept.append(Node(value)) }
      check(kept.reduce(0) { $0 + $1.value } == 28, "a sum is wrong")
      kept.removeAll()
    }
  }
}

func hammer(_ threads: Threads) {
  threads.start(4) { thread in
    var kept = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
    var number: UInt32 = UInt32(thread + 1)
    until {
      for _ in 0..<1000 {
        number = number &* 1_664_525 &+ 1_013_904_223
        let place = Int(number >> 26)
        if let memory = kept[place] {
          check(memory.load(as: Int.self) == place, "memory is not its owner's")
          free(memory)
          kept[place] = nil
        } else {
          let memory = malloc(16 + Int(number >> 16 & 4095))!
          memory.storeBytes(of: place, as: Int.self)
          kept[place] = memory
        }
      }
    }
    for memory in kept { free(memory) }
  }
}

/// Threads that block in system calls, none of which may be interrupted.
func waits(_ threads: Threads) {
  let queue = epoll_create1(0)
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  let (input, output) = (ends[0], ends[1])
  threads.start(1) { _ in
    let events = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    until { check(epoll_wait(queue, events, 1, 50) == 0, "epoll_wait: \(errno)") }
  }
  threads.start(1) { _ in
    until {
      var left = timespec(tv_sec: 0, tv_nsec: 0)
      var time = timespec(tv_sec: 0, tv_nsec: 20_000_000)
      check(nanosleep(&time, &left) == 0, "nanosleep: \(errno)")
    }
  }
  threads.start(1) { _ in
    until {
      errno = 77
      var time = timeval(tv_sec: 0, tv_usec: 20_000)
      check(select(0, nil, nil, nil, &time) == 0 && errno == 77, "select: \(errno)")
    }
  }
  threads.start(1) { _ in
    let lock = DispatchSemaphore(value: 0)
    until { check(lock.wait(timeout: .now() + 0.02) == .timedOut, "semaphore") }
  }
  threads.start(1) { _ in
    var byte: UInt8 = 0
    while read(input, &byte, 1) == 1 { rounds.add(1, ordering: .relaxed) }
    check(errno == 0 || errno == 2, "read: \(errno)")
  }
  threads.start(1) { _ in
    until {
      check(write(output, [1], 1) == 1, "write: \(errno)")
      usleep(10_000)
    }
    close(output)
  }
}

/// All vector registers and many general-purpose registers are in use.
func vectors(_ threads: Threads) {
  threads.start(3) { thread in
    until {
      var a = SIMD8<Double>(repeating: Double(thread + 1)), b = SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7)
      var c = SIMD16<Int32>(repeating: 1), d = SIMD16<Int32>(repeating: 0)
      for _ in 0..<100_000 {
        a += b
        b = b * 1.0
        d &+= c
        c = c ^ 0
      }
      check(a[7] == Double(thread + 1) + 700_000 && a[0] == Double(thread + 1), "a vector of numbers is wrong")
      check(d == SIMD16<Int32>(repeating: 100_000), "a vector of integers is wrong")
    }
  }
}

/// Signal handlers that run constantly on busy threads, also on an alternate stack.
nonisolated(unsafe) let handled = UnsafeMutablePointer<Int>.allocate(capacity: 1)
func handlers(_ threads: Threads) {
  handled.initialize(to: 0)
  var action = sigaction()
  action.__sigaction_handler.sa_handler = { _ in handled.pointee &+= 1 }
  action.sa_flags = SA_RESTART
  sigaction(SIGALRM, &action, nil)
  var timer = itimerval(it_interval: timeval(tv_sec: 0, tv_usec: 500), it_value: timeval(tv_sec: 0, tv_usec: 500))
  setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  nonisolated(unsafe) let shared = Node(0)
  threads.start(2) { _ in until { check(work(shared) == 499_500, "a sum is wrong") } }
}

func dispatched() -> DispatchGroup {
  let group = DispatchGroup()
  for index in 0..<4 {
    let queue = DispatchQueue(label: "queue \(index)")
    @Sendable func again() {
      guard !isOver.load(ordering: .relaxed) else { return group.leave() }
      check(work(Node(0)) == 499_500, "a sum is wrong")
      rounds.add(1, ordering: .relaxed)
      queue.asyncAfter(deadline: .now() + .microseconds(200), execute: again)
    }
    group.enter()
    queue.async(execute: again)
  }
  return group
}

actor Counter {
  private var nodes: [Node] = []
  func add(_ value: Int) -> Int {
    nodes.append(Node(value))
    if nodes.count > 20 { nodes.removeFirst(10) }
    return nodes.count
  }
}

func tasked() -> DispatchGroup {
  let group = DispatchGroup()
  let counter = Counter()
  for index in 0..<6 {
    group.enter()
    Task.detached {
      while !isOver.load(ordering: .relaxed) {
        let count = await counter.add(index)
        check(count > 0 && count <= 20, "an actor is wrong")
        let sums = await withTaskGroup(of: Int.self) { tasks in
          for _ in 0..<3 { tasks.addTask { work(Node(0)) } }
          return await tasks.reduce(0, +)
        }
        check(sums == 3 * 499_500, "a sum is wrong")
        rounds.add(1, ordering: .relaxed)
        await Task.yield()
      }
      group.leave()
    }
  }
  return group
}

let sort = CommandLine.arguments.dropFirst().first ?? ""
setvbuf(stdout, nil, _IOLBF, 0)
let threads = Threads()
var group: DispatchGroup?
switch sort {
case "idle", "single": break
case "busy": busy(threads)
case "malloc": hammer(threads)
case "arrays": arrays(threads)
case "waits": waits(threads)
case "vectors": vectors(threads)
case "handlers": handlers(threads)
case "dispatch": group = dispatched()
case "tasks": group = tasked()
default: fatalError("there is no \(sort)")
}
print("ready")
if sort == "single" {
  let shared = Node(0)
  while !hasEnded(waiting: 0) {
    check(work(shared) == 499_500, "a sum is wrong")
    rounds.add(1, ordering: .relaxed)
  }
} else if sort == "idle" {
  while let line = readLine() {
    print("\(line): \(work(Node(0)))")
    rounds.add(1, ordering: .relaxed)
  }
} else if sort == "handlers" {
  var byte: UInt8 = 0
  while read(0, &byte, 1) > 0 {}
} else {
  while !hasEnded(waiting: -1) {}
}
isOver.store(true, ordering: .relaxed)
threads.join()
group?.wait()
let count = rounds.load(ordering: .relaxed)
print("\(sort): \(count > 0 || sort == "idle" ? "worked" : "did nothing"), \(wrong.withLock { $0.sorted() })")
exit(7)
