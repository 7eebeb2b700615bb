// Queries what a recorder could change, between operations on objects, for Scripts/prove-transparency. The output is
// the same in each unrecorded run.
//
//   Imprint PART      errors, times, signals, files, threads, tasks, children, memory
import Dispatch
import Foundation
import Synchronization

// The Glibc module has neither.
let malloc_usable_size = unsafeBitCast(
  dlsym(nil, "malloc_usable_size"), to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
let pthread_getname_np = unsafeBitCast(
  dlsym(nil, "pthread_getname_np"), to: (@convention(c) (pthread_t, UnsafeMutablePointer<CChar>, Int) -> Int32).self)

class Node {
  var next: Node?
  weak var other: Node?
  unowned(safe) var owner: Node?
  unowned(unsafe) var raw: Node?
  var bytes = [UInt8](repeating: 7, count: 100)
  deinit { errno = errno }
}
final class Leaf: Node {}

/// Allocates, retains and frees objects, and makes weak and unowned references to them.
@inline(never) func work(_ rounds: Int = 200) -> Int {
  var kept: [Node] = []
  var sum = 0
  for round in 0..<rounds {
    let node = round % 3 == 0 ? Leaf() : Node()
    node.next = kept.last
    node.other = kept.first
    node.owner = kept.first
    node.raw = kept.last
    kept.append(node)
    if round % 40 == 39 { kept.removeAll() }
    sum += (node.other == nil ? 0 : 1) + node.bytes.count + (node.owner == nil ? 0 : 1)
  }
  return sum
}

/// Runs each operation with a different errno, and prints which ones changed it.
func errors() {
  let node = Node()
  let unmanaged = Unmanaged.passUnretained(node)
  var optional: Node? = node
  weak var weakly: Node? = node
  let operations: [(String, () -> Void)] = [
    ("retain", { _ = unmanaged.retain() }), ("release", { unmanaged.release() }),
    ("allocation", { _ = Node() }), ("class met late", { _ = Late() }), ("generic", { _ = Generic<[Int?]>() }),
    ("weak load", { _ = weakly?.next }), ("weak store", { weakly = optional }), ("unowned", { _ = node.owner }),
    ("array", { _ = Array(repeating: node, count: 50) }), ("string", { _ = String(repeating: "ab", count: 100) }),
    ("error", { do { throw Failure(node: node) } catch {} }), ("cast", { _ = (node as Any) as? Leaf }),
    ("unique", { _ = isKnownUniquelyReferenced(&optional) }), ("dictionary", { _ = ["a": node, "b": node] }),
    ("large", { _ = [UInt8](repeating: 1, count: 1 << 20) }), ("many", { _ = work() }),
  ]
  for code in [0, EINTR, EAGAIN, ENOENT, ENOMEM, 77] as [Int32] {
    for (name, operation) in operations {
      errno = code
      operation()
      let after = errno
      if after != code { print("\(name): \(code) became \(after)") }
    }
  }
  for call in [{ open("/none", O_RDONLY) }, { close(-1) }, { chdir("/none") }, { kill(1 << 22, 0) }, { rmdir("/") }] {
    let result = call()
    _ = work(3)
    print(result, errno)
  }
}
final class Late { var number = 1 }
final class Generic<T> { var value: T?; init() {} }
struct Failure: Error { let node: Node }

/// Waits that end by a timeout, by a signal or at once, while other threads use objects.
func times() {
  let isOver = Atomic(false)
  DispatchQueue.global().async { while !isOver.load(ordering: .relaxed) { _ = work(20) } }
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  for milliseconds in [0, 1, 20] as [Int32] {
    var wanted = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    let first = poll(&wanted, 1, milliseconds)
    var time = timeval(tv_sec: 0, tv_usec: Int(milliseconds) * 1000)
    let second = select(0, nil, nil, nil, &time)
    var rest = timespec(tv_sec: 5, tv_nsec: 5)
    var asked = timespec(tv_sec: 0, tv_nsec: Int(milliseconds) * 1_000_000)
    print("poll \(first), select \(second) \(time.tv_usec), nanosleep \(nanosleep(&asked, &rest)) \(rest.tv_sec)")
  }
  signal(SIGALRM) { _ in }
  var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: 0, tv_usec: 20_000))
  setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  var rest = timespec()
  var asked = timespec(tv_sec: 30, tv_nsec: 0)
  errno = 0
  let result = nanosleep(&asked, &rest)
  print("interrupted", result, errno, rest.tv_sec >= 1 && rest.tv_sec < 30)
  let lock = DispatchSemaphore(value: 0)
  print(lock.wait(timeout: .now() + 0.02) == .timedOut, lock.wait(timeout: .now()) == .timedOut)
  write(ends[1], [1, 2], 2)
  var wanted = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
  print(poll(&wanted, 1, 30_000), wanted.revents)
  isOver.store(true, ordering: .relaxed)
}

nonisolated(unsafe) var said: [String] = []
nonisolated(unsafe) let shared = Node()

/// Handlers on the normal and on an alternate stack that use objects; signal masks; signals that are sent.
func signals() {
  var stack = stack_t()
  stack.ss_sp = malloc(65536)
  stack.ss_size = 65536
  sigaltstack(&stack, nil)
  var action = sigaction()
  action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_ONSTACK)
  sigaddset(&action.sa_mask, SIGUSR2)
  action.__sigaction_handler.sa_sigaction = { number, info, _ in
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    _ = Unmanaged.passUnretained(shared).retain()
    Unmanaged.passUnretained(shared).release()
    said.append("\(number) code \(info!.pointee.si_code) blocks \(sigismember(&mask, SIGUSR2))")
  }
  for number in [SIGUSR1, SIGSEGV, SIGBUS, SIGTRAP, SIGCHLD, SIGALRM] {
    var old = sigaction()
    sigaction(number, &action, &old)
    raise(number)
    kill(getpid(), number)
    sigaction(number, &old, &action)
    print(number, work(10), action.sa_flags & 0xFFFF, sigismember(&action.sa_mask, SIGUSR2))
  }
  var mask = sigset_t(), pending = sigset_t()
  sigaddset(&mask, SIGUSR1)
  pthread_sigmask(SIG_BLOCK, &mask, nil)
  kill(getpid(), SIGUSR1)
  _ = work()
  sigpending(&pending)
  var number: Int32 = 0
  print("pending", sigismember(&pending, SIGUSR1), sigwait(&mask, &number), number)
  said.forEach { print($0) }
}

func files() {
  print(open("/dev/null", O_RDONLY), dup(0), open("/etc/passwd", O_RDONLY), work(), fcntl(2, F_GETFD), umask(0o22))
  print(FileManager.default.currentDirectoryPath.split(separator: "/").last ?? "")
  try? FileManager.default.createDirectory(atPath: "new", withIntermediateDirectories: false)
  print((try? "text".write(toFile: "new/file", atomically: true, encoding: .utf8)) != nil)
  print((try? FileManager.default.contentsOfDirectory(atPath: ".").sorted()) ?? [])
  print(ProcessInfo.processInfo.environment.count - (getenv("LIFELINE_OPTIONS") == nil ? 0 : 1))
}

func threads() {
  var key = pthread_key_t()
  pthread_key_create(&key) { Unmanaged<Node>.fromOpaque($0!).release() }
  for _ in 0..<20 {
    var thread = pthread_t()
    let argument = UnsafeMutableRawPointer(bitPattern: UInt(key) + 1)
    pthread_create(
      &thread, nil,
      { argument in
        pthread_setspecific(pthread_key_t(UInt(bitPattern: argument) - 1), Unmanaged.passRetained(Node()).toOpaque())
        return UnsafeMutableRawPointer(bitPattern: work())
      }, argument)
    var result: UnsafeMutableRawPointer?
    pthread_join(thread, &result)
    print(Int(bitPattern: result), terminator: " ")
  }
  var name = [CChar](repeating: 0, count: 16)
  _ = pthread_getname_np(pthread_self(), &name, 16)
  print(name)
}

func children() {
  for script in ["exit 3", "kill -TERM $$", "echo child; ulimit -n; umask", "grep Sig[BIC] /proc/self/status"] {
    var child: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
    let result = posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ)
    _ = work()
    var status: Int32 = 0
    print(result, waitpid(child, &status, 0) == child, status)
  }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", "ls /proc/self/fd | wc -l; pwd | wc -l"]
  try? process.run()
  process.waitUntilExit()
  print(process.terminationStatus)
}

func memory() {
  for size in [1, 24, 100, 5000, 200_000] {
    let block = malloc(size), larger = realloc(malloc(size), size * 2)
    print(size, malloc_usable_size(block), malloc_usable_size(larger), UInt(bitPattern: block) % 16)
    free(block)
    free(larger)
  }
  let buffer = ManagedBuffer<Int, Int>.create(minimumCapacity: 100) { $0.capacity }
  var array = [Node()]
  array.reserveCapacity(1000)
  let size = malloc_usable_size(Unmanaged.passRetained(Leaf()).toOpaque())
  print(buffer.header, array.capacity, size, isKnownUniquelyReferenced(&array[0]), work())
}

actor Sum {
  var total = 0
  func add(_ number: Int) { total += number }
}
func tasks() async {
  let sum = Sum()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<50 { group.addTask { await sum.add(work(20)) } }
  }
  let late = Task { () -> String in
    do { try await Task.sleep(for: .seconds(60)) } catch { return "\(type(of: error))" }
    return "slept"
  }
  late.cancel()
  print(await sum.total, await late.value)
  let (numbers, source) = AsyncStream.makeStream(of: Int.self)
  Task {
    for number in 0..<100 { source.yield(number) }; source.finish()
  }
  print(await numbers.reduce(0, +))
}

@main enum Main {
  static func main() async {
    setvbuf(stdout, nil, _IOFBF, 1 << 16)
    switch CommandLine.arguments.dropFirst().first {
    case "errors": errors()
    case "times": times()
    case "signals": signals()
    case "files": files()
    case "threads": threads()
    case "tasks": await tasks()
    case "children": children()
    case "memory": memory()
    default: fatalError("there is no such part")
    }
    fflush(stdout)
    exit(9)
  }
}
