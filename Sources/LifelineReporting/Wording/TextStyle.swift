/// Colors for a terminal, or nothing.
struct TextStyle {
  let isColored: Bool

  private func code(_ code: String, _ text: String) -> String { isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
  func bold(_ text: String) -> String { code("1", text) }
  func dim(_ text: String) -> String { code("2", text) }
  func red(_ text: String) -> String { code("1;31", text) }
  func yellow(_ text: String) -> String { code("33", text) }
  func green(_ text: String) -> String { code("32", text) }
}
