import CTestProcess
import Foundation
import Glibc
import Synchronization

/// A simple, old terminal (VT52) on which a program displays output and a test presses keys.
///
/// It understands what ncurses sends for TERM=vt52: cursor moves, clear to the end of line and screen. Any other escape
/// sequence is added to `problems`.
public final class TestTerminal: Sendable {
  private struct Screen {
    var cells: [[Character]] = []
    var row = 0
    var column = 0
    var width = 0
    /// Bytes of an incomplete escape sequence or character.
    var pending: [UInt8] = []
    var problems: [String] = []
  }

  private let primary: Int32
  /// The path that a program opens as its terminal.
  public let path: String
  private let screen = Mutex(Screen())

  public init(width: Int = 80, height: Int = 24) throws {
    var name = [CChar](repeating: 0, count: 256)
    primary = test_terminal_open(&name, name.count)
    guard primary >= 0 else {
      throw TestProcessError("No terminal could be made: \(String(cString: strerror(errno))).")
    }
    path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    resize(width: width, height: height)
  }

  deinit { close(primary) }

  /// Runs a program on this terminal in its own session.
  public func start(_ program: String, _ arguments: [String], folder: String? = nil, limit: Duration) throws
    -> TestProcess
  {
    var environment = ProcessInfo.processInfo.environment
    for name in ["LINES", "COLUMNS"] { environment[name] = nil }
    environment["TERM"] = "vt52"
    environment["LC_ALL"] = "C"
    // The shell leads the session, so the terminal it opens becomes the session's. When it ends, the kernel discards
    // what was not read yet, so it ends a little later than the program.
    let script = "exec <\"$0\" >\"$0\" 2>\"$0\"; \"$@\"; status=$?; sleep 0.5; exit $status"
    return try TestProcess(
      "/bin/sh", ["-c", script, path, program] + arguments, environment: environment, folder: folder, limit: limit)
  }

  /// Changes the size, as when a user resizes the window, and discards what was displayed.
  public func resize(width: Int, height: Int) {
    screen.withLock { screen in
      screen.cells = Array(repeating: Array(repeating: " ", count: width), count: height)
      (screen.row, screen.column, screen.width) = (0, 0, width)
    }
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(primary, UInt(TIOCSWINSZ), &size)
  }

  public func press(_ keys: String) {
    var keys = keys
    keys.withUTF8 { _ = write(primary, $0.baseAddress, $0.count) }
  }

  /// Waits until the screen is as expected, and returns its lines without trailing spaces.
  ///
  /// - Throws: `TestProcessError` with the screen if that takes more than five minutes.
  public func wait(for name: String = #function, until isWanted: ([String]) -> Bool) throws -> [String] {
    let deadline = Date(timeIntervalSinceNow: 300)
    while Date() < deadline {
      read(within: 50)
      let lines = lines
      if isWanted(lines) { return lines }
    }
    throw TestProcessError(
      "the terminal never showed what was waited for in \(name):\n\(lines.joined(separator: "\n"))")
  }

  public var lines: [String] {
    screen.withLock { screen in
      screen.cells.map { row in
        var text = String(row.filter { $0 != "\u{0}" })
        while text.last == " " { text.removeLast() }
        return text
      }
    }
  }

  public var problems: [String] { screen.withLock { $0.problems } }

  private func read(within milliseconds: Int32) {
    var source = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
    guard poll(&source, 1, milliseconds) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(primary, &buffer, buffer.count)
    // No process has it open anymore.
    guard count > 0 else {
      usleep(20_000)
      return
    }
    screen.withLock { screen in
      for byte in buffer[..<count] { Self.take(byte, &screen) }
    }
  }

  private static func take(_ byte: UInt8, _ screen: inout Screen) {
    if !screen.pending.isEmpty || byte == 0x1B || byte >= 0x80 {
      screen.pending.append(byte)
      if screen.pending[0] == 0x1B { escape(&screen) } else { character(&screen) }
      return
    }
    switch byte {
    case 0x0D: screen.column = 0
    case 0x0A where screen.row == screen.cells.count - 1:
      screen.cells.removeFirst()
      screen.cells.append(Array(repeating: " ", count: screen.width))
    case 0x0A: screen.row += 1
    case 0x08: screen.column = max(screen.column - 1, 0)
    case 0x09: screen.column = min((screen.column / 8 + 1) * 8, screen.width - 1)
    case 0x07: break
    default: put(Character(Unicode.Scalar(byte)), &screen)
    }
  }

  private static func put(_ character: Character, _ screen: inout Screen) {
    let width = wide(character) ? 2 : 1
    for offset in 0..<width where screen.column + offset < screen.width {
      screen.cells[screen.row][screen.column + offset] = offset == 0 ? character : "\u{0}"
    }
    screen.column = min(screen.column + width, screen.width - 1)
  }

  private static func wide(_ character: Character) -> Bool {
    (0x2E80...0xD7A3).contains(character.unicodeScalars.first!.value)
  }

  private static func character(_ screen: inout Screen) {
    guard let text = String(validating: screen.pending, as: UTF8.self) else {
      if screen.pending.count >= 4 {
        screen.problems.append("bytes that are no character: \(screen.pending)")
        screen.pending = []
      }
      return
    }
    screen.pending = []
    put(Character(text), &screen)
  }

  private static func escape(_ screen: inout Screen) {
    let bytes = screen.pending
    guard bytes.count > 1 else { return }
    if bytes[1] == UInt8(ascii: "Y"), bytes.count < 4 { return }
    screen.pending = []
    switch bytes[1] {
    case UInt8(ascii: "A"): screen.row = max(screen.row - 1, 0)
    case UInt8(ascii: "B"): screen.row = min(screen.row + 1, screen.cells.count - 1)
    case UInt8(ascii: "C"): screen.column = min(screen.column + 1, screen.width - 1)
    case UInt8(ascii: "D"): screen.column = max(screen.column - 1, 0)
    case UInt8(ascii: "H"): (screen.row, screen.column) = (0, 0)
    case UInt8(ascii: "Y"):
      screen.row = min(Int(bytes[2]) - 32, screen.cells.count - 1)
      screen.column = min(Int(bytes[3]) - 32, screen.width - 1)
    case UInt8(ascii: "K"): clear(&screen, row: screen.row, from: screen.column)
    case UInt8(ascii: "J"):
      clear(&screen, row: screen.row, from: screen.column)
      for row in (screen.row + 1)..<max(screen.row + 1, screen.cells.count) { clear(&screen, row: row, from: 0) }
    case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "F"), UInt8(ascii: "G"): break
    default: screen.problems.append("an unknown sequence: \(bytes)")
    }
  }

  private static func clear(_ screen: inout Screen, row: Int, from column: Int) {
    for place in column..<screen.width { screen.cells[row][place] = " " }
  }
}
