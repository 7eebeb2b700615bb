import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Who held growing objects at the end of the last generation, if they were freed before the trace ends: told by their
/// retains and releases, as the heap at the end does not have them.
public struct EarlierHolders {
  /// "Cache.entries"; objects whose holder is unknown are missing.
  let names: [ObjectID: String]

  /// Reads the trace two or three times more if there are such objects, and retains were recorded.
  ///
  /// - Throws: `TraceError` if the trace can no longer be read.
  public init(_ inspector: GrowthInspector, _ trace: Trace, names: Names) throws {
    let freed = Set(
      inspector.growths.filter(\.isFreed).map(\.typical).filter { trace.blindness(about: $0.className) == nil })
    guard !freed.isEmpty, inspector.generations >= Growth.fewest else {
      self.names = [:]
      return
    }
    let reading = try LifetimeReader(trace, try LifetimeSummary(trace), objects: freed, names: names)
    var found: [ObjectID: String] = [:]
    for lifetime in reading.lifetimes {
      let holds = lifetime.holds.filter { hold in
        hold.holder.isOwner && hold.from <= inspector.lastEnd && (hold.to ?? .max) > inspector.lastEnd
      }
      if let name = holds.lazy.compactMap(Self.name).first { found[lifetime.history.id] = name }
    }
    self.names = found
  }

  private static func name(_ hold: Hold) -> String? {
    let perhaps = hold.confidence == .perhaps ? "perhaps " : ""
    return switch hold.holder {
    case .property(let className, let property?, _): "\(perhaps)\(PathText.short(className)).\(property)"
    case .property(let className, nil, _): "\(perhaps)a property of \(PathText.short(className))"
    case .closure, .activity: HolderWording(hold).name
    case .reference, .function, .library: nil
    }
  }
}
