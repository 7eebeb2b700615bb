/// Opens a screen and closes it again.
public final class Session {
  private var screen: Screen?

  public init() {}

  /// Loads the feed; with `closing`, the user leaves the screen meanwhile.
  public func run(closing: Bool) -> Int {
    let screen = Screen()
    let feed = screen.feed!
    self.screen = consume screen
    feed.whileLoading = { [self] in if closing { self.screen = nil } }
    feed.load()
    feed.whileLoading = {}
    return self.screen?.articles ?? 0
  }
}
