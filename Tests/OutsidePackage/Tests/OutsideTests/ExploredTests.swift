import Foundation
import LifelineTesting
import Testing

/// A box that two threads take from, checked under one lock and emptied under the next. On a machine with one core
/// tasks run one after another.
private final class Box: @unchecked Sendable {
  private let lock = NSLock()
  private var values = [1]
  var isEmpty: Bool { lock.withLock { values.isEmpty } }
  func takeLast() -> Int? { lock.withLock { values.popLast() } }
  func takeLastIfAny() -> Int? { lock.withLock { values.isEmpty ? 0 : values.popLast() } }
}

private func takeTwice(_ take: @escaping @Sendable (Box) -> Int?) async -> [Int?] {
  let box = Box()
  return await withTaskGroup(of: Int?.self) { tasks in
    for delay: UInt32 in [0, 2000] {
      tasks.addTask {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            usleep(delay)
            continuation.resume(returning: take(box))
          }
        }
      }
    }
    return await tasks.reduce(into: []) { $0.append($1) }
  }
}

class Letter { var lines = 0; func add() { lines += 1 } }

/// Closed by one thread while another writes to it.
private final class Desk: @unchecked Sendable {
  private let lock = NSLock()
  private var isOpen = true
  private var letter: Letter? = Letter()
  private let written: Unmanaged<Letter>
  init() { written = .passUnretained(letter!) }
  func close() {
    lock.withLock { isOpen = false }
    letter = nil
  }
  func write() {
    guard lock.withLock({ isOpen }) else { return }
    lock.withLock { written._withUnsafeGuaranteedRef { $0.add() } }
  }
}

/// Of these, the second passes; the last ends the process and only runs on request.
@Suite struct ExploredTests {
  @Test("takes what another thread took", .explored(runs: 200))
  func takers() async {
    #expect(await takeTwice { $0.isEmpty ? 0 : $0.takeLast() }.contains(nil) == false)
  }

  @Test("takes under one lock", .explored(runs: 40))
  func synchronizedTakers() async {
    #expect(await takeTwice { $0.takeLastIfAny() }.contains(nil) == false)
  }

  @Test("writes what another thread freed", .explored(runs: 200))
  func writers() async {
    let desk = Desk()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for _ in 0..<10 { desk.write() }
        continuation.resume()
      }
      usleep(2000)
      desk.close()
    }
  }

  @Test("traps under a schedule", .explored(runs: 200), .enabled(if: getenv("TRAPS") != nil))
  func trap() async {
    _ = await takeTwice { box in box.isEmpty ? 0 : box.takeLast()! }
  }
}
