/// Shows the articles of its feed.
public final class Screen {
  public private(set) var feed: Feed!
  public private(set) var articles = 0

  public init() { feed = Feed(delegate: self) }

  func show(_ count: Int) { articles += count }
}
