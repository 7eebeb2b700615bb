/// A tree of views: a view holds its subviews, and knows its superview without holding it.
class View: @unchecked Sendable {
  var tag = 0
  private(set) var subviews: [View] = []
  private(set) weak var superview: View?

  func add(_ view: View) {
    subviews.append(view)
    view.superview = self
  }

  /// This view or the first below it with a tag.
  func view(withTag tag: Int) -> View? {
    if self.tag == tag { return self }
    for view in subviews { if let found = view.view(withTag: tag) { return found } }
    return nil
  }

  /// Calls `body` for this view and all below it.
  func walk(_ body: (View) -> Void) {
    body(self)
    for view in subviews { view.walk(body) }
  }
}
