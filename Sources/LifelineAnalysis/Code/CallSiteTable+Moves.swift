import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

extension CallSiteTable {
  /// Where the code that made an event puts the reference that it counts, or has it from; nil if unknown.
  func referenceMove(_ id: BacktraceID) -> ReferenceMove? {
    backtraces.innermost(of: id).flatMap { $0.isFrame ? names.referenceMove($0) : nil }
  }

  /// Whether the code that released a reference stored another one, or nil, where it had been.
  func replacesProperty(_ id: BacktraceID) -> Bool {
    if case .removed(_, isReplaced: true, _)? = referenceMove(id) { true } else { false }
  }

  /// Whether the code that made an event counted a reference of a local variable or an intermediate value.
  func isLocal(_ id: BacktraceID) -> Bool { referenceMove(id) == .local }

  /// The program's own function with the code that made an event, around those that were inlined there.
  func outermost(_ id: BacktraceID) -> CodeFrame? {
    facts(id).lazy.compactMap { $0.last { !$0.isLibrary && $0.isMeaningful } }.first?.frame
  }
}
