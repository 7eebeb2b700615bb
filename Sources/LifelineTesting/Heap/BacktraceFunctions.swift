import LifelineSymbolication
import LifelineTrace

/// The functions of tests that the backtraces of a growing trace pass through; each is looked up once.
final class BacktraceFunctions {
  private var known: [BacktraceID: Set<TestFunction>] = [:]
  /// Images loaded when the names were looked up; a new image may reuse the addresses of an unloaded one.
  private var images = 0

  func of(_ backtrace: BacktraceID, in tail: TraceTail) -> Set<TestFunction> {
    let loaded = tail.tables.images
    if loaded.count != images {
      known = [:]
      images = loaded.count
    }
    if let functions = known[backtrace] { return functions }
    let symbolicator = SymbolicatorPool.take(for: loaded)
    defer { SymbolicatorPool.give(symbolicator, for: loaded) }
    let functions = Set(
      tail.backtraces.entries(backtrace).filter(\.isFrame).flatMap { TestFunction.all(at: $0, symbolicator) })
    known[backtrace] = functions
    return functions
  }
}
