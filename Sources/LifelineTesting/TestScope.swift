import Foundation
import LifelineLifetimes
import LifelineTrace

/// One running test that is being watched: its number, and what it asked to have checked at its end.
final class TestScope: @unchecked Sendable {
  @TaskLocal static var current: TestScope?
  /// The number of the innermost test or expectation, for the recorder: it asks for this value at each allocation.
  @TaskLocal static var currentNumber: UInt32 = 0

  /// An object whose allocation must be seen, or nothing was.
  private final class Witness {}

  let number: UInt32
  /// The test that this expectation is part of.
  let outer: UInt32
  private let lock = NSLock()
  private var checks: [Check] = []
  private var witness: Witness?

  init() {
    number = TestRecorder.nextNumber()
    outer = Self.currentNumber
  }

  /// Runs a body whose allocations belong to this scope.
  func run<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result) async throws -> Result {
    TestRecorder.parents.set(outer, of: number)
    return try await Self.$currentNumber.withValue(number, operation: {
      placeWitness()
      return try await body()
    }, isolation: isolation)
  }

  @inline(never)
  func placeWitness() { witness = Witness() }

  /// Adds a check for the end of the test.
  func atEnd(_ check: Check) { lock.withLock { checks.append(check) } }

  /// How long objects may take to go that a task or queue is just letting go of, in milliseconds each time.
  private static let patience: [UInt64] = [1, 5, 20, 80]

  /// Checks everything, with some patience, and reports each thing that is wrong; `place` is "in this test".
  func finish(
    _ requirement: LifetimeRequirement, _ allowances: [LeakAllowance], where place: String = "in this test", report: (String) -> Void
  ) async {
    let checks = lock.withLock { self.checks }
    if checks.isEmpty, requirement.isEmpty { return }
    do {
      for wait in Self.patience {
        if checks.allSatisfy({ $0.isSatisfied() }), try Snapshot.with({ try isClean(requirement, $0) }) { return }
        try? await Task.sleep(nanoseconds: wait * 1_000_000)
      }
      let texts = try Snapshot.with { snapshot in
        _ = try isClean([], snapshot)
        var texts = checks.flatMap { $0.isSatisfied() ? [] : $0.texts(snapshot) }
        if requirement.contains(.noLeaks) {
          texts += LeakReport(snapshot.liveObjects(allocatedBy: number), in: snapshot, allowances: allowances, where: place).texts
        }
        if requirement.contains(.noUseAfterFree) { texts += AccessReport(number, in: snapshot).texts }
        return texts
      }
      texts.forEach(report)
    } catch {
      report("The lifetimes could not be observed. \(error)")
    }
  }

  /// Whether there is nothing to report, found without explaining anything.
  private func isClean(_ requirement: LifetimeRequirement, _ snapshot: Snapshot) throws -> Bool {
    guard isWitnessSeen(in: snapshot) else {
      throw TraceError("An object that was allocated to be seen was not: its class is not recorded, or this runtime has no task-local values.")
    }
    if requirement.contains(.noLeaks), !snapshot.liveObjects(allocatedBy: number).isEmpty { return false }
    return !requirement.contains(.noUseAfterFree) || AccessReport(number, in: snapshot).texts.isEmpty
  }

  private func isWitnessSeen(in snapshot: Snapshot) -> Bool {
    guard let witness else { return false }
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(witness).toOpaque()))
    return snapshot.graph.objects[address].map { snapshot.isCaused($0, by: number) } ?? false
  }
}
