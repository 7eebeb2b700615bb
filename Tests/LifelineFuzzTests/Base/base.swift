// The file that inputs change: classes, generics, enumerations, closures and inlined functions, described by the
// compiler.

public protocol Delegate: AnyObject { func changed(_ session: Session) }

open class Model { public var name = "model" }

public final class Session: Model {
  public weak var delegate: (any Delegate)?
  public unowned(unsafe) var owner: Model?
  var entries: [String: Entry<Int>] = [:]
  lazy var change: () -> Void = { [weak self] in self?.name = "changed" }
  deinit { entries = [:] }
}

public struct Entry<Value> {
  var value: Value
  var session: Session?
}

public indirect enum Tree {
  case leaf(Session)
  case branch(Tree, Tree)
}

public enum Table { public nonisolated(unsafe) static var sessions: [Session] = [] }

@inline(__always) func note(_ session: Session) { session.name += "!" }

public func change(_ session: Session) {
  note(session)
  session.change()
  session.delegate?.changed(session)
}
