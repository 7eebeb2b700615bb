import Foundation
import LifelineLifetimes
import LifelineTrace

/// One running test that is being watched: its number in backtraces, and what it asked to have checked at its end.
final class TestScope: @unchecked Sendable {
  @TaskLocal static var current: TestScope?

  /// An object whose allocation must be seen, or nothing was.
  private final class Witness {}

  let number: UInt32
  private let lock = NSLock()
  private var checks: [@Sendable (Snapshot) -> [String]] = []
  private var witness: Witness?

  init(_ number: UInt32) { self.number = number }

  @inline(never)
  func placeWitness() { witness = Witness() }

  /// Adds a check for the end of the test; it gives the texts of what is wrong, none while it is right.
  func atEnd(_ check: @escaping @Sendable (Snapshot) -> [String]) { lock.withLock { checks.append(check) } }

  /// How long objects may take to go that a task or queue is just letting go of, in milliseconds each time.
  private static let patience: [UInt64] = [1, 5, 20, 80]

  /// Checks everything, with some patience, and reports each thing that is wrong.
  func finish(_ requirement: LifetimeRequirement, _ allowances: [LeakAllowance], report: (String) -> Void) async {
    let checks = lock.withLock { self.checks }
    if checks.isEmpty, requirement.isEmpty { return }
    var wrong: [String] = []
    for wait in [0] + Self.patience {
      if wait > 0 { try? await Task.sleep(nanoseconds: wait * 1_000_000) }
      do {
        wrong = try findings(requirement, allowances, checks)
      } catch {
        wrong = ["The lifetimes of this test could not be observed. \(error)"]
      }
      if wrong.isEmpty { return }
    }
    wrong.forEach(report)
  }

  private func findings(
    _ requirement: LifetimeRequirement, _ allowances: [LeakAllowance], _ checks: [@Sendable (Snapshot) -> [String]]
  ) throws -> [String] {
    let snapshot = try Snapshot()
    guard isWitnessSeen(in: snapshot) else {
      throw TraceError("An object that was allocated to be seen was not; is the program stripped of its symbols?")
    }
    var wrong = checks.flatMap { $0(snapshot) }
    if requirement.contains(.noLeaks) {
      wrong += LeakReport(snapshot.liveObjects(allocatedBy: number), in: snapshot, allowances: allowances, where: "in this test").texts
    }
    if requirement.contains(.noUseAfterFree) { wrong += AccessReport(number, in: snapshot).texts }
    return wrong
  }

  private func isWitnessSeen(in snapshot: Snapshot) -> Bool {
    guard let witness else { return false }
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(witness).toOpaque()))
    return snapshot.graph.objects[address].map { snapshot.numbers(in: $0.allocation).contains(number) } ?? false
  }
}
