import Lifeline
import LifelineTesting
import Testing

final class Screen {
  @TrackedWeak var parent: Screen?
  var child: Screen?
}

nonisolated(unsafe) var keptScreens: [Screen] = []

@Suite struct VersionedTests {
  @Test("keeps nothing", .lifetimes(.noLeaks, .noUseAfterFree))
  func clean() {
    let screen = Screen()
    screen.child = Screen()
    screen.child?.parent = screen
  }

  /// Fails, with the text that VersionedPackageTests expects.
  @Test("leaks a cycle", .lifetimes(.noLeaks))
  func cycle() {
    let screen = Screen()
    screen.child = screen
  }

  /// Fails, too.
  @Test("keeps a screen", .lifetimes())
  func kept() {
    let screen = Screen()
    keptScreens.append(screen)
    expectDeallocated(screen)
  }
}
