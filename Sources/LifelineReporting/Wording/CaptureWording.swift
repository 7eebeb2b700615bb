import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication

/// What to change in a closure that used an object and may have captured it.
struct CaptureWording {
  let capturer: Capturer
  let object: ObjectID
  let context: ReportContext

  var condition: String { "If \(closure) captured \(captured) \(ways)" }

  var change: String { "capture it weakly" + (variable.map { " ([weak \($0)])" } ?? "") }

  /// Whether the closure may have captured the object: not if its captures are known, and none is such a reference.
  var isPossible: Bool {
    guard let captures, !captures.isEmpty else { return true }
    return captures.contains { capture in
      let type = Self.type(capture)
      return capture.isUnowned || capture.isUnsafe || type.contains("Unmanaged") || capture.type.isEmpty
        || capturer.values.contains { type.contains($0) }
    }
  }

  private var captures: [FunctionParameter]? {
    names.lazy.compactMap { context.names.symbolicator.captures(of: $0, at: capturer.site.lookupAddress) }.first
  }

  private static func type(_ capture: FunctionParameter) -> String { Demangler.demangle(capture.type) }

  private var captured: String { variable ?? object.description }

  /// The variable that the closure captured that way; nil if there are several, or if it is unknown.
  private var variable: String? {
    guard let captures, !captures.contains(where: { Self.type($0).contains("Unmanaged") }) else { return nil }
    let uncounted = captures.filter {
      $0.isUnowned && capturer.strengths.contains(.unowned)
        || $0.isUnsafe && capturer.strengths.contains(.unownedUnsafe)
    }.map { FunctionParameter(name: $0.name, type: $0.type.dropLast(3) + "D") }
    return CapturedVariables(
      uncounted, holding: object.className, isOnce: false, superclasses: context.names.superclasses
    ).only
  }

  /// The closure's mangled name, and without what distinguishes an asynchronous closure's parts, which follows it
  /// (Mangling.rst).
  private var names: [String] {
    let name = capturer.closure.mangledName
    let whole = name.flatMap { name in name.matches(of: /U\d*_/).last.map { String(name[..<$0.range.upperBound]) } }
    return [name, whole].compactMap { $0 }
  }

  private var ways: String {
    let ways: [(StoredProperty.Strength, String)] = [
      (.unowned, "[unowned]"), (.unownedUnsafe, "[unowned(unsafe)]"), (.unmanaged, "as an Unmanaged"),
    ]
    return ways.filter { capturer.strengths.contains($0.0) }.map(\.1).joined(separator: " or ")
  }

  private var closure: String {
    let declared = names.lazy.compactMap {
      context.names.symbolicator.declaration(of: $0, at: capturer.site.lookupAddress)
    }.first
    guard let declared, let file = declared.file.split(separator: "/").last else { return capturer.closure.function }
    return "the closure at \(file):\(declared.line)"
  }
}
