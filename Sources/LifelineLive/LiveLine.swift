/// A line of the screen.
public struct LiveLine: Sendable, Equatable {
  public enum Style: Sendable { case plain, bold, dim, chosen, alarm }

  public let text: String
  public let style: Style

  init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }
}
