import Glibc

/// Reads the kernel's small files about a process.
public enum ProcessFile {
  public static func lines(of path: String) -> [Substring] { text(of: path).split(separator: "\n") }

  /// "" if it cannot be read.
  public static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The state of a thread of a process, "R" for example; nil if it is gone.
  public static func state(of thread: Int, in process: Int) -> Character? {
    // The name, in parentheses, may contain any character; the state follows it (proc_pid_stat(5)).
    let text = text(of: "/proc/\(process)/task/\(thread)/stat")
    return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
  }

  /// The numbers among a folder's entry names.
  public static func numbers(in folder: String) -> [Int] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [Int] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let number = Int(name) { numbers.append(number) }
    }
    return numbers
  }
}
