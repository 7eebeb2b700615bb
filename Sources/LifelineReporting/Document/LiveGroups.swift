import LifelineLifetimes
import LifelineTrace

/// Which groups of live objects a report lists, and the totals of the others.
///
/// A recursion allocates through thousands of call paths, each of which is a group: listing all of them made a report
/// of hundreds of megabytes.
struct LiveGroups {
  /// The allocation site of objects of a class.
  struct Place: Hashable {
    let className: String
    let allocation: BacktraceID
  }

  struct Entry {
    let group: LiveGroup
    /// The number of leaked ones; nil if not examined.
    let lost: Int?
  }

  static let limit = 1000

  let listed: [Entry]
  /// Nil if all are listed.
  let rest: Report.LiveRest?

  /// `groups` in order, largest first; `lost` is nil if not examined.
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
