/// The one source change that would have prevented a cycle; cycles with it in common are one mistake.
///
/// A closure is written once, and a property is declared once, perhaps by a superclass of many.
struct LeakMistake: Hashable {
  private enum Reference: Hashable {
    case capture(className: String, closure: String)
    case property(className: String, name: String)
  }

  private let reference: Reference

  /// Nil if none is proven, if several are needed, or if objects must be released at a moment that differs from cycle
  /// to cycle.
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
