import Lifeline
import LifelineTesting
import Testing

// The examples of Documentation/Harness.md, verbatim, and what they need.

protocol DetailDelegate: AnyObject { func detailChanged() -> String }
final class Master { var detail: Detail? }
final class Settings { nonisolated(unsafe) static let shared = Settings() }

@Test func loadingReportsWhatIsLeft() {
  #expect(expectNoLeaks { 1 } == 1)  // the recorder starts here
  var cache: [Detail] = []
  #expect(loadEverything(&cache) == 1)
}

final class Detail {
  @TrackedUnownedUnsafe(onLostMessage: .ignore) var delegate: (any DetailDelegate)? = nil
  @TrackedWeak var parent: Master?
  @TrackedStrong var child: Detail? = nil

  func contextChanged() -> String {
    $delegate.send { $0?.detailChanged() ?? "no delegate" } ?? "the delegate is gone"
  }
}

func loadEverything(_ cache: inout [Detail]) -> Int {
  Timeline.mark("the list is on screen")
  return Timeline.phase("load") {
    var left = 0
    Timeline.scope("fill the cache", report: { left = $0.count }) {
      cache.append(Detail())
      _ = Detail()
    }
    return left
  }
}

@Suite struct DetailTests {
  @Test(.lifetimes(.noLeaks, .noUseAfterFree))
  func closesItsDetail() async {
    let master = Master()
    master.detail = Detail()
    master.detail?.parent = master
    await Task.yield()
    #expect(master.detail?.contextChanged() == "no delegate")
  }

  @Test(.lifetimes(.noLeaks, allowing: [.leak(of: "Settings", because: "there is one for each process")]))
  func fillsASingleton() {
    _ = Settings.shared
  }

  @Test(.lifetimes())
  func detailDiesBeforeItsMaster() {
    let master = Master()
    let detail = Detail()
    master.detail = detail
    expectHolders(of: detail, ["Master.detail"])
    expectDeallocated(detail)
    expectLifetime(of: detail, within: master)
    master.detail = nil
    withExtendedLifetime(master) {}
  }
}
