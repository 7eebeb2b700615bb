import CLifelineHarness
import Lifeline
import LifelineTrace

/// The checks behind the expectations of both test libraries; each returns the problems as text.
enum Checks {
  static func deallocated<Object: AnyObject>(_ make: () throws -> Object?) rethrows -> String? {
    // Started before the object is created, so that its holders are recorded.
    let problem = TestRecorder.problem
    guard let subject = try subject(make) else { return nil }
    if subject.isGone { return nil }
    if let problem { return "\(subject.typeName) was not deallocated. What keeps it could not be observed. \(problem)" }
    do {
      return try Snapshot.with { subject.text("was not deallocated", in: $0) }
    } catch {
      return "\(subject.typeName) was not deallocated. What keeps it could not be observed. \(error)"
    }
  }

  /// A separate call, so that the result is released when it returns.
  @inline(never)
  private static func subject<Object: AnyObject>(_ make: () throws -> Object?) rethrows -> Subject? {
    try make().map { Subject($0) }
  }

  /// `name` is the function that the test calls.
  static func leaks<Result>(_ allowances: [LeakAllowance], _ name: String, _ body: () throws -> Result) rethrows
    -> (Result, [String])
  {
    if let problem = TestRecorder.problem { return (try body(), ["Leaks could not be observed. \(problem)"]) }
    let span = lifeline_harness_recorder().pointee.span_begin(LIFELINE_SPAN_test.rawValue, name)
    let result: Result
    do {
      result = try body()
    } catch {
      lifeline_harness_recorder().pointee.span_end(LIFELINE_SPAN_test.rawValue, span)
      throw error
    }
    lifeline_harness_recorder().pointee.span_end(LIFELINE_SPAN_test.rawValue, span)
    if allowances.isEmpty, LifetimeIndex.shared.isClean(span: span) { return (result, []) }
    do {
      let end = try Snapshot.with { snapshot in
        ScopeEnd(
          texts: LeakReport(
            snapshot.liveObjects(allocatedIn: span), in: snapshot, allowances: allowances, where: "in \(name)"
          ).texts, used: snapshot.used(of: allowances))
      }
      return (result, end.texts + end.idleTexts(allowances))
    } catch {
      return (result, ["Leaks could not be observed. \(error)"])
    }
  }

  static func holders(of object: AnyObject) throws -> [String] {
    let subject = try Subject(object).identified()
    return try Snapshot.with { snapshot in
      if let problem = snapshot.heap.problem { throw TraceError("\(problem).") }
      return Explanation(snapshot: snapshot, address: subject.address).holders
    }
  }

  static func holders(of object: AnyObject, are expected: [String]) -> String? {
    do {
      let found = try holders(of: object)
      // "Node#2.next" → "Node.next", because numbers depend on the order of tests.
      let plain = found.map { $0.replacing(/#[0-9]+/, with: "") }
      guard found.sorted() != expected.sorted(), plain.sorted() != expected.sorted() else { return nil }
      let name = String(describing: type(of: object))
      return "\(name) is held by \(list(found)), not by \(list(expected))."
    } catch {
      return "The holders could not be observed. \(error)"
    }
  }

  private static func list(_ holders: [String]) -> String {
    holders.isEmpty ? "nobody" : holders.joined(separator: ", ")
  }

  static func order(_ inner: Subject, _ outer: Subject, _ snapshot: Snapshot) -> String? {
    guard let first = inner.id, let second = outer.id else { return nil }
    guard let death = snapshot.deaths[first] else {
      return inner.text("was not deallocated when the test ended", in: snapshot)
    }
    guard let limit = snapshot.deaths[second] else {
      return outer.text("was not deallocated when the test ended", in: snapshot)
    }
    if death < limit { return nil }
    let place = (try? snapshot.deathPlace(of: first)).flatMap { $0 } ?? "an unknown place"
    return "\(first) outlived \(second).\n  its last reference was released at \(place)"
  }
}
