import Glibc

/// A program's standard input, as far as it matters for running the program twice.
struct StandardInput {
  /// Why a second run would read something else than the first; nil if it would not.
  let obstacle: String?
  private let offset: off_t

  /// Examines it before the first run.
  init() {
    var status = stat()
    offset = lseek(STDIN_FILENO, 0, SEEK_CUR)
    guard fstat(STDIN_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
      obstacle = nil
      return
    }
    var source = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let isEmpty =
      poll(&source, 1, 0) == 1 && source.revents & Int16(POLLIN) == 0 && source.revents & Int16(POLLHUP) != 0
    obstacle = isEmpty ? nil : "its standard input is a pipe, which cannot be read twice"
  }

  /// A file is read from where the first run began.
  func rewind() {
    if offset >= 0 { lseek(STDIN_FILENO, offset, SEEK_SET) }
  }
}
