import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication

/// What to change in a closure that used an object and may have captured it.
struct CaptureWording {
  let capturer: Capturer
  let object: ObjectID
  let report: ReportContext

  var condition: String { "If \(closure) captured \(captured) \(ways)" }

  var change: String { "capture it weakly" + (isOwn ? " ([weak self])" : "") }

  /// Functions name a generic class without its arguments.
  private var isOwn: Bool { capturer.closure.function.contains(" in \(object.shortClassName.prefix { $0 != "<" }).") }

  private var captured: String { isOwn ? "self" : object.description }

  private var ways: String {
    let ways: [(StoredProperty.Strength, String)] = [
      (.unowned, "[unowned]"), (.unownedUnsafe, "[unowned(unsafe)]"), (.unmanaged, "as an Unmanaged"),
    ]
    return ways.filter { capturer.strengths.contains($0.0) }.map(\.1).joined(separator: " or ")
  }

  private var closure: String {
    // What distinguishes an asynchronous closure's parts follows its name (Mangling.rst).
    let name = capturer.closure.mangledName
    let whole = name.flatMap { name in name.matches(of: /U\d*_/).last.map { String(name[..<$0.range.upperBound]) } }
    let declared = [name, whole].lazy.compactMap { $0 }.compactMap {
      report.names.symbolicator.declaration(of: $0, at: capturer.site.lookupAddress)
    }.first
    guard let declared, let file = declared.file.split(separator: "/").last else { return capturer.closure.function }
    return "the closure at \(file):\(declared.line)"
  }
}
