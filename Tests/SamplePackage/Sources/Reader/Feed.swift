/// Loads articles and reports their number to its delegate.
public final class Feed {
  unowned(unsafe) var delegate: Screen
  /// Called while the articles are loading.
  public var whileLoading: () -> Void = {}

  init(delegate: Screen) { self.delegate = delegate }

  public func load() {
    whileLoading()
    delegate.show(3)
  }
}
