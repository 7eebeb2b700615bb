import LifelineLifetimes
import LifelineTrace

/// An object that a test asks about, without keeping it alive.
final class Subject: @unchecked Sendable {
  private weak var object: AnyObject?
  let address: UInt64
  let typeName: String
  private(set) var id: ObjectID?

  init(_ object: AnyObject) {
    self.object = object
    address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    typeName = String(describing: type(of: object))
  }

  var isGone: Bool { object == nil }

  /// Looks up the object's identity in the recording while it is certainly alive.
  ///
  /// - Throws: `TraceError` if it is not a recorded object.
  func identified() throws -> Subject {
    guard let id = try Snapshot.with({ $0.id(at: address) }), id.number > 0 else {
      throw TraceError("\(typeName) is older than the recording, or its class is not recorded.")
    }
    self.id = id
    return self
  }

  /// "Node#1 was not …" and why.
  func text(_ problem: String, in snapshot: Snapshot) -> String {
    let known = snapshot.id(at: address).flatMap { $0.number > 0 ? "\($0)" : nil }
    return
      (["\(known ?? typeName) \(problem)."]
      + Explanation(snapshot: snapshot, address: address).lines().map { "  \($0)" }).joined(separator: "\n")
  }
}
