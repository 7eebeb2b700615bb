import LifelineScenarios

/// Owns a view, and is the delegate of what it shows.
class ViewController: ActionSheetDelegate, @unchecked Sendable {
  let view = View()
  let title: Title

  init(title: String) { self.title = Title(title) }
}

/// A text with a life of its own.
class Title: @unchecked Sendable {
  private let text: String
  init(_ text: String) { self.text = text }
  func draw() { tell(text) }
}

/// Overrides draw(), so that a call of it asks the object for it, in optimized builds as well.
final class BlankTitle: Title, @unchecked Sendable { override func draw() {} }
