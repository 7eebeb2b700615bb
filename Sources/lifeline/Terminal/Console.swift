import Glibc
import LifelineReporting
import Synchronization

/// The user interface: answers on stdout, everything about the work on stderr.
struct Console {
  /// Whether an answer could not be written, as on a full disk, so that the command has failed.
  static var hasFailed: Bool { failure.load(ordering: .relaxed) }
  private static let failure = Atomic(false)
  /// Whether writing to standard output has failed.
  static var isClosed: Bool { closure.load(ordering: .relaxed) }
  private static let closure = Atomic(false)

  /// Writes an answer; a closed pipe is not an error.
  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes a prose answer in lines that fit the terminal.
  static func printWrapped(_ text: String) { print(text.wrapped(to: width)) }

  /// Writes one line about the work. File and class names in it cannot control the terminal.
  static func log(_ line: String) { write("lifeline: \(line.safe)\n", to: STDERR_FILENO) }

  /// The same, followed by quoted output of another program.
  static func log(_ line: String, quoting text: String) {
    log(line)
    write(
      text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)".safe + "\n" }.joined(),
      to: STDERR_FILENO)
  }

  /// Whether answers may be colored: on a terminal, and not disabled.
  static func isColored(disabled: Bool) -> Bool {
    let refused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    return !disabled && !refused && isatty(STDOUT_FILENO) == 1
  }

  /// Columns for answers, from COLUMNS or the terminal; nil if neither is set or it is less than 40.
  static var width: Int? {
    if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 {
      return columns < 40 ? nil : columns
    }
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else {
      return nil
    }
    return Int(size.ws_col)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if errno == EPIPE, descriptor == STDOUT_FILENO { closure.store(true, ordering: .relaxed) }
        if errno != EPIPE, descriptor == STDOUT_FILENO, !failure.exchange(true, ordering: .relaxed) {
          log("cannot write the output: \(String(cString: strerror(errno)))")
        }
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
