/// A key that was pressed.
public enum LiveKey: Sendable, Equatable {
  case up, down, pageUp, pageDown, home, end, enter, back
  /// Esc.
  case leave
  case character(Character)
}
