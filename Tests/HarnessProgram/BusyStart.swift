import Foundation
import Lifeline

/// Starts the recorder while threads constantly retain, release, allocate and free: more threads than processors, so
/// that some are interrupted anywhere, even inside the instructions being patched.
enum BusyStart {
  static func run(output: String) throws {
    let stop = Flag()
    nonisolated(unsafe) let shared = Target("shared")
    let threads = (0..<8).map { number in
      let thread = Thread { work(shared, number, until: stop) }
      thread.stackSize = 1 << 20
      thread.start()
      return thread
    }
    usleep(20_000)
    var options = Timeline.Options()
    options.output = output
    options.isQuiet = true
    try Timeline.start(options)
    usleep(20_000)
    stop.set()
    while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
    print("done")
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

  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
  }
}
