import Glibc

/// A progress line on a terminal's stderr, which disappears at the end.
final class Progress {
  private let isShown = isatty(STDERR_FILENO) == 1
  private var wasShown = false

  func report(_ events: UInt64) {
    report(events < 1_000_000 ? "\(events / 1000) thousand events read" : "\(events / 1_000_000) million events read")
  }

  func report(_ text: String) {
    guard isShown else { return }
    wasShown = true
    write("\r\u{1B}[K\(text) …")
  }

  func end() {
    if wasShown { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
