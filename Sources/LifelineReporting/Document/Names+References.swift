import LifelineLifetimes
import LifelineTrace

extension Names {
  /// What a tracked reference did and which one it is: "weak reference: set Screen#1.delegate", without the number
  /// while the owner is initialized; if it is not an object's property, the function or type around its declaration is
  /// named instead: "strong reference: set in run() (Main.swift:31)".
  func reference(_ row: HistoryRow) -> String {
    let what =
      "\(row.event.referenceStrength?.name ?? "tracked") reference: "
      + "\(row.event.referenceOperation.map { "\($0)" } ?? "use")"
    guard let declaration = trace.tables.declaration(Int(truncatingIfNeeded: row.event.argument1)) else { return what }
    if let owner = row.owner, let property = declaration.property { return "\(what) \(owner).\(property)" }
    if declaration.isInitialization { return "\(what) \(declaration.name)" }
    return "\(what) in \(declaration.name) (\(declaration.location))"
  }
}
