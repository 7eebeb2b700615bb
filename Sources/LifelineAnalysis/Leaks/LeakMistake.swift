/// The one change of the source that would have prevented a cycle: cycles that have it in common are one mistake.
///
/// A closure is written once, and a property is declared once: by a superclass, perhaps, of many.
struct LeakMistake: Hashable {
  private enum Reference: Hashable {
    case capture(className: String, closure: String)
    case property(className: String, name: String)
  }

  private let reference: Reference

  /// Nil where none is proven, several would be needed, or objects must let go at a moment that differs from cycle to
  /// cycle.
  init?(_ leak: Leak, _ closures: ClosureIdentity) {
    guard leak.cause == .cycle, let changes = leak.cut?.changes, changes.count == 1 else { return nil }
    switch changes[0] {
    case .captureWeakly(let className, let function?):
      reference = .capture(className: className, closure: closures.identity(of: function))
    case .makeWeak(let className, let name): reference = .property(className: className, name: name)
    default: return nil
    }
  }
}
