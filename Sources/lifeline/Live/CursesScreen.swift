import CNcurses
import Glibc
import LifelineLive

/// The terminal, through ncurses: shows lines and returns keys. It has no state about what is watched.
final class CursesScreen {
  private let terminal: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let isColored: Bool

  /// Nil if the terminal type (TERM) is unknown.
  init?(isColored: Bool) {
    setlocale(LC_ALL, "")
    // Names of classes may be in any script.
    if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    guard let terminal = lifeline_terminal(), let window = lifeline_screen() else { return nil }
    self.terminal = terminal
    self.window = window
    cbreak()
    noecho()
    keypad(window, true)
    set_escdelay(25)
    curs_set(0)
    self.isColored = isColored && has_colors()
    if self.isColored {
      start_color()
      use_default_colors()
      init_pair(1, Int16(COLOR_RED), -1)
    }
  }

  /// Restores the terminal.
  func end() {
    endwin()
    delscreen(terminal)
  }

  var size: (width: Int, height: Int) { (Int(getmaxx(window)), Int(getmaxy(window))) }

  func draw(_ lines: [LiveLine]) {
    for (row, line) in lines.enumerated() {
      wmove(window, Int32(row), 0)
      wattrset(window, attributes(line.style))
      waddstr(window, line.text)
      wattrset(window, 0)
      wclrtoeol(window)
    }
    wrefresh(window)
  }

  private func attributes(_ style: LiveLine.Style) -> Int32 {
    switch style {
    case .plain: 0
    case .bold: lifeline_attribute_bold()
    case .dim: lifeline_attribute_dim()
    case .chosen: lifeline_attribute_reverse()
    case .alarm: isColored ? lifeline_attribute_color(1) : lifeline_attribute_bold()
    }
  }

  /// Waits for a key; nil if none was pressed within `milliseconds`, or the terminal was resized.
  func key(within milliseconds: Int32) -> LiveKey? {
    wtimeout(window, milliseconds)
    var code: wint_t = 0
    let sort = wget_wch(window, &code)
    if sort == KEY_CODE_YES { return Self.special(Int32(bitPattern: code)) }
    guard sort == OK else { return nil }
    switch code {
    case 10, 13: return .enter
    case 27: return .leave
    case 8, 127: return .back
    default:
      guard code >= 32, let scalar = Unicode.Scalar(code) else { return nil }
      return .character(Character(scalar))
    }
  }

  private static func special(_ code: Int32) -> LiveKey? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_HOME: .home
    case KEY_END: .end
    case KEY_ENTER: .enter
    case KEY_BACKSPACE, KEY_LEFT: .back
    case KEY_RIGHT: .enter
    default: nil
    }
  }
}
