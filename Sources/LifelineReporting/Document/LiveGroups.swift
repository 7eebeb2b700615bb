import LifelineLifetimes
import LifelineTrace

/// Which groups of live objects a report lists, and what the others add up to.
///
/// A recursion allocates by thousands of call paths, each of which is a group: all of them made a report of hundreds of
/// megabytes.
struct LiveGroups {
  /// Where objects of a class were allocated.
  struct Place: Hashable {
    let className: String
    let allocation: BacktraceID
  }

  struct Entry {
    let group: LiveGroup
    /// How many are lost; nil where that was not examined.
    let lost: Int?
  }

  static let limit = 1000

  let listed: [Entry]
  /// Nil when all are listed.
  let rest: Report.LiveRest?

  /// `groups` in their order, the largest first; `lost` is nil where it was not examined.
  init(_ groups: [LiveGroup], lost: [Place: Int]?) {
    var listed: [Entry] = []
    var rest = Report.LiveRest(groups: 0, count: 0, bytes: 0, lost: lost == nil ? nil : 0)
    for (index, group) in groups.enumerated() {
      let lost = lost.map { $0[Place(className: group.className, allocation: group.allocation)] ?? 0 }
      if index < Self.limit || (lost ?? 0) > 0 && listed.count < 2 * Self.limit {
        listed.append(Entry(group: group, lost: lost))
        continue
      }
      rest.groups += 1
      rest.count += group.count
      rest.bytes += group.bytes
      if let lost { rest.lost = (rest.lost ?? 0) + lost }
    }
    self.listed = listed
    self.rest = rest.groups > 0 ? rest : nil
  }
}
