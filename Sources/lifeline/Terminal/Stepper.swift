import Glibc

/// Shows numbered pages on a terminal, one per key press.
struct Stepper {
  let count: Int
  /// The page that `f` leads to.
  let landmark: Int

  private enum Key { case forward, backward, first, last, landmark, quit, other }

  func run(_ page: (Int) -> String) {
    var original = termios()
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &original) }
    var index = 0
    while true {
      // Home and clear: each page is shown alone, whatever the length of the previous one.
      Console.print("\u{1B}[H\u{1B}[2J" + page(index) + "\n→ next  ← back  g first  G last  f final release  q quit\n")
      switch key() {
      case .forward: index = min(index + 1, count - 1)
      case .backward: index = max(index - 1, 0)
      case .first: index = 0
      case .last: index = count - 1
      case .landmark: index = landmark
      case .quit: return
      case .other: break
      }
    }
  }

  private func byte() -> UInt8? {
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }

  private func key() -> Key {
    switch byte() {
    case nil, UInt8(ascii: "q"), 3, 4: return .quit
    case UInt8(ascii: " "), UInt8(ascii: "n"), UInt8(ascii: "l"), UInt8(ascii: "j"), 10, 13: return .forward
    case UInt8(ascii: "p"), UInt8(ascii: "h"), UInt8(ascii: "k"), 127: return .backward
    case UInt8(ascii: "g"): return .first
    case UInt8(ascii: "G"): return .last
    case UInt8(ascii: "f"): return .landmark
    case 0x1B:
      guard byte() == UInt8(ascii: "[") else { return .other }
      switch byte() {
      case UInt8(ascii: "C"), UInt8(ascii: "B"): return .forward
      case UInt8(ascii: "D"), UInt8(ascii: "A"): return .backward
      case UInt8(ascii: "H"): return .first
      case UInt8(ascii: "F"): return .last
      default: return .other
      }
    default: return .other
    }
  }
}
