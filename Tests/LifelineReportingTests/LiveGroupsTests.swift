import LifelineLifetimes
import LifelineTrace
import Testing

@testable import LifelineReporting

/// Which objects that are live at the end a report lists.
@Suite struct LiveGroupsTests {
  @Test("The first thousand live groups and those with lost objects are listed, and the rest are summed")
  func limit() throws {
    // Each has a call path of its own.
    let groups = (1...1500).map { path in
      let count = path <= 10 ? 7 : 1
      return LiveGroup(
        className: "App.Tree", allocation: BacktraceID(rawValue: UInt32(path)),
        first: ObjectID(className: "App.Tree", number: path), count: count, bytes: count * 32)
    }
    let lost = LiveGroups.Place(className: "App.Tree", allocation: groups[1499].allocation)
    let live = LiveGroups(groups, lost: [lost: 1])
    #expect(live.listed.count == 1001)
    #expect(live.listed[1000].group.allocation == groups[1499].allocation && live.listed[1000].lost == 1)
    #expect(live.listed[0].lost == 0 && live.listed[0].group.count == 7)
    #expect(live.rest == Report.LiveRest(groups: 499, count: 499, bytes: 499 * 32, lost: 0))
    let unexamined = LiveGroups(groups, lost: nil)
    #expect(unexamined.listed.count == 1000 && unexamined.rest?.lost == nil && unexamined.rest?.groups == 500)
    #expect(LiveGroups(Array(groups.prefix(1000)), lost: nil).rest == nil)
  }
}
