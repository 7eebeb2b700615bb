import Foundation
import Lifeline

/// Starts the recorder while threads constantly retain, release, allocate and free: more threads than processors, so
/// that some are interrupted anywhere, even inside the instructions being patched.
enum BusyStart {
  static func run(output: String) throws {
    let work = Work(threads: 8)
    var options = Timeline.Options()
    options.output = output
    options.isQuiet = true
    try Timeline.start(options)
    usleep(20_000)
    work.end()
    print("done")
  }

  /// Threads that work until they are told to end.
  struct Work {
    private let stop = Flag()
    private let threads: [Thread]

    init(threads count: Int) {
      nonisolated(unsafe) let shared = Target("shared")
      let stop = stop
      threads = (0..<count).map { number in
        let thread = Thread { BusyStart.work(shared, number, until: stop) }
        thread.stackSize = 1 << 20
        thread.start()
        return thread
      }
      usleep(20_000)
    }

    func end() {
      stop.set()
      while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
    }
  }

  @inline(never)
  private static func work(_ shared: Target, _ number: Int, until stop: Flag) {
    weak var seen = shared
    unowned let owner = shared
    let pointer = Unmanaged.passUnretained(shared)
    while !stop.isSet {
      for _ in 0..<200 { pointer.retain().release() }
      var list = [shared, shared]
      list.append(owner)
      if seen == nil { fatalError("gone") }
      seen = list[number % 3]
      _ = Target("own \(number)").name.utf8.count
    }
  }

  fileprivate final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
  }
}
