import LifelineAnalysis
import LifelineLifetimes

/// States that the allocation's reference, which seems to be left, may be one that its own function released.
///
/// Equal references of one call can be swapped: `let session = Session()` ends with the variable's release, and the
/// reference that is left is one that was stored in between; `self.session = Session()` leaves the allocation's.
struct SwappedReferenceWording {
  let context: ReportContext

  /// Nil if no such release exists.
  func sentence(_ lifetime: ObjectLifetime) -> String? {
    let rows = lifetime.history.rows
    guard case .never = lifetime.timing,
      let birth = lifetime.pairing.unpairedRetains.first(where: { rows[$0].event.kind == .allocate })
    else { return nil }
    let makers = Set(context.backtrace(rows[birth], role: .allocation).frames.filter { !$0.isSystem }.map(\.function))
    let pair = lifetime.pairing.pairs.last { pair in
      guard pair.confidence == .sure, rows[pair.retain].event.thread == rows[birth].event.thread else { return false }
      let retain = context.backtrace(rows[pair.retain], role: .retain)
      let release = context.backtrace(rows[pair.release], role: .retain)
      // Of one call, both may have been inlined at different depths.
      let isOfMakers = [retain, release].allSatisfy { $0.responsible.map { makers.contains($0.function) } == true }
      // A reference that one line took and released was that line's.
      return isOfMakers
        && (retain.responsible?.line == nil || retain.responsible?.line != release.responsible?.line)
    }
    guard let pair else { return nil }
    return "Event \(rows[pair.release].event.sequence) may have balanced the allocation instead: equal references of "
      + "one call can be swapped."
  }
}
