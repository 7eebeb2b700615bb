import LifelineAnalysis
import LifelineLifetimes

/// Tells which deinits in backtraces are another class's: the optimizer makes one function of several with equal code,
/// and the debug information knows one name and its lines.
struct SharedDeinits {
  private static let suffix = ".__deallocating_deinit"
  let classes: Set<String>
  let superclasses: [String: String]

  /// Of all classes, by full names.
  init(classes: some Sequence<String>, superclasses: [String: String]) {
    self.classes = Set(classes.map(Self.short))
    self.superclasses = superclasses
  }

  /// A backtrace from the deinit of an object, with the innermost deinit called "merged", and without a line, if it is
  /// not of the object's class.
  func marked(_ backtrace: Report.Backtrace, from object: ObjectID) -> Report.Backtrace {
    guard let index = backtrace.frames.firstIndex(where: { $0.function.hasSuffix(Self.suffix) }) else {
      return backtrace
    }
    let frame = backtrace.frames[index]
    let owner = String(frame.function.dropLast(Self.suffix.count)).withoutTypeArguments
    guard classes.contains(owner), !lineage(object.className).contains(owner) else { return backtrace }
    var result = backtrace
    result.frames[index].function = "merged \(frame.function)"
    result.frames[index].file = nil
    result.frames[index].line = nil
    result.frames[index].column = nil
    result.frames[index].isNear = nil
    return result
  }

  private func lineage(_ className: String) -> [String] {
    var names = [className]
    while names.count < 64, let next = superclasses[names[names.count - 1].withoutTypeArguments] { names.append(next) }
    return names.map(Self.short)
  }

  private static func short(_ className: String) -> String {
    ObjectID(className: className, number: 1).shortClassName.withoutTypeArguments
  }
}
