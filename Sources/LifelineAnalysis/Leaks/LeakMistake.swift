/// The source changes that would have prevented a cycle; cycles with the same ones in common are one mistake.
///
/// A closure is written once, and a property is declared once, perhaps by a superclass of many, or by a generic class.
/// Channels of a class are not closed, and event loops not run, in many tests; as findings of their own they would hide
/// others.
/// Several changes together say little about the cause, as in a package whose objects keep each other until they are
/// closed, so such cycles are one mistake only if their objects are of related classes.
struct LeakMistake: Hashable {
  private enum Reference: Hashable {
    case capture(className: String, closure: String)
    case property(className: String, name: String)
    case channel([String], handlers: [String])
    case eventLoop(className: String)
  }

  private let references: Set<Reference>
  private let root: String?

  /// Nil if none is proven, or if objects must be released at a moment that differs from cycle to cycle. `root` is the
  /// last superclass of a class; a superclass's closure captures objects of all.
  init?(_ leak: Leak, of className: String, root: (String) -> String, _ closures: ClosureIdentity) {
    guard leak.cause == .cycle, let changes = leak.cut?.changes else { return nil }
    var references: Set<Reference> = []
    for change in changes {
      switch change {
      case .captureWeakly(let className, let function?):
        let closure = closures.identity(of: function)
        references.insert(.capture(className: root(className).withoutTypeArguments, closure: closure))
      case .makeWeak(let className, let name), .weakenInside(let className, let name, _),
        .giveUpContext(let className, let name):
        references.insert(.property(className: className.withoutTypeArguments, name: name))
      case .close(let classNames, let handlers): references.insert(.channel(classNames, handlers: handlers))
      case .runTasks(let className): references.insert(.eventLoop(className: className))
      default: return nil
      }
    }
    self.references = references
    self.root = references.count > 1 ? root(className).withoutTypeArguments : nil
  }
}
