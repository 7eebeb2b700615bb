/// Loads articles, and tells its delegate how many.
public final class Feed {
  unowned(unsafe) var delegate: Screen
  /// What happens while the articles are on their way.
  public var whileLoading: () -> Void = {}

  init(delegate: Screen) { self.delegate = delegate }

  public func load() {
    whileLoading()
    delegate.show(3)
  }
}
