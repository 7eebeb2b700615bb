/// A root of a view tree; alerts are shown in a window of their own, as the article found out.
class Window: View, @unchecked Sendable {
  /// The controller whose views the window shows.
  var rootViewController: ViewController?
}

/// The window that action sheets are shown in: no view of the program's own lies in it.
final class AlertOverlayWindow: Window, @unchecked Sendable {}
