import Foundation
import LifelineLifetimes
import LifelineTrace

/// A running test that is being watched: its number, and the checks for its end.
final class TestScope: @unchecked Sendable {
  @TaskLocal static var current: TestScope?
  /// The number of the innermost test or expectation, which the recorder reads at each allocation.
  @TaskLocal static var currentNumber: UInt32 = 0

  /// An object whose allocation must be seen; otherwise nothing was.
  private final class Witness {}

  let number: UInt32
  /// The test that this expectation is part of.
  let outer: UInt32
  /// The test's own function; nil for an expectation.
  let function: TestFunction?
  /// Guarded by `RunningTests`.
  var isAlone = true
  private let lock = NSLock()
  private var checks: [Check] = []
  private var witness: Witness?

  init(_ function: TestFunction? = nil) {
    self.function = function
    number = TestRecorder.nextNumber()
    outer = Self.currentNumber
  }

  /// Runs a body whose allocations belong to this scope.
  func run<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result) async rethrows
    -> Result
  {
    TestRecorder.parents.set(outer, of: number)
    return try await Self.$currentNumber.withValue(
      number,
      operation: {
        placeWitness()
        return try await body()
      }, isolation: isolation)
  }

  @inline(never)
  func placeWitness() { witness = Witness() }

  /// Adds a check for the end of the test.
  func atEnd(_ check: Check) { lock.withLock { checks.append(check) } }

  /// How long to wait, in milliseconds each time, for objects that a task or queue is about to release.
  private static let patience: [UInt64] = [1, 5, 20, 80]

  /// Checks everything, waiting a little if necessary; `place` is "in this test".
  func finish(
    _ requirement: LifetimeRequirement, _ allowances: [LeakAllowance], where place: String = "in this test"
  ) async -> ScopeEnd {
    let checks = lock.withLock { self.checks }
    if checks.isEmpty, requirement.isEmpty { return ScopeEnd(used: []) }
    do {
      for wait in Self.patience {
        // A snapshot has the events of all threads in one order, up to the moment of its request. What another thread
        // did just before may come after that, so a snapshot proves nothing against each thread's own events.
        let isClean = checks.isEmpty && allowances.isEmpty ? await LifetimeIndex.shared.isClean(self, requirement) : nil
        if isClean == true { return ScopeEnd(used: []) }
        if isClean == nil, checks.allSatisfy({ $0.isSettled() }),
          let used = try await Snapshot.queue.with({ [self] snapshot in
            try self.isClean(requirement, allowances, snapshot) && checks.allSatisfy { $0.texts(snapshot).isEmpty }
              ? snapshot.used(of: allowances) : nil
          })
        {
          return ScopeEnd(used: used)
        }
        try? await Task.sleep(nanoseconds: wait * 1_000_000)
      }
      return try await Snapshot.queue.with { [self] snapshot in
        _ = try isClean([], [], snapshot)
        var texts = checks.flatMap { $0.texts(snapshot) }
        if requirement.contains(.noLeaks) {
          texts +=
            LeakReport(snapshot.liveObjects(allocatedBy: self), in: snapshot, allowances: allowances, where: place)
            .texts
        }
        if requirement.contains(.noUseAfterFree) { texts += AccessReport(self, in: snapshot).texts }
        return ScopeEnd(texts: texts, used: snapshot.used(of: allowances))
      }
    } catch {
      return ScopeEnd(texts: ["The lifetimes could not be observed. \(error)"])
    }
  }

  /// Whether there is nothing to report, determined without explaining anything.
  private func isClean(
    _ requirement: LifetimeRequirement, _ allowances: [LeakAllowance], _ snapshot: Snapshot
  ) throws -> Bool {
    guard isWitnessSeen(in: snapshot) else {
      throw TraceError(
        "A test object was not seen: its class is not recorded, or this runtime has no "
          + "task-local values."
      )
    }
    if requirement.contains(.noLeaks),
      snapshot.liveObjects(allocatedBy: self).contains(where: { object in
        !allowances.contains { $0.covers(object, in: snapshot) }
      })
    {
      return false
    }
    return !requirement.contains(.noUseAfterFree) || AccessReport(self, in: snapshot).texts.isEmpty
  }

  private func isWitnessSeen(in snapshot: Snapshot) -> Bool {
    begin(in: snapshot).map { snapshot.number(of: $0) == number } ?? false
  }

  var witnessAddress: UInt64? {
    witness.map { UInt64(UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())) }
  }

  /// The event at which the scope began: the witness's allocation.
  func begin(in snapshot: Snapshot) -> UInt64? {
    witnessAddress.flatMap { snapshot.objects[$0]?.allocationSequence }
  }
}
