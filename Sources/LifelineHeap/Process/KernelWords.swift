/// Words that the kernel keeps for a process and returns to it: of epoll, and of timers.
enum KernelWords {
  static func words(of process: Int) -> [UInt64] {
    var words: [UInt64] = []
    for descriptor in ProcessFile.numbers(in: "/proc/\(process)/fdinfo") {
      for line in ProcessFile.lines(of: "/proc/\(process)/fdinfo/\(descriptor)") where line.hasPrefix("tfd:") {
        // tfd: 5 events: 19 data: 7f3c… pos:0 ino:4d sdev:f
        let parts = line.split(separator: " ")
        if let at = parts.firstIndex(of: "data:"), at + 1 < parts.count, let word = UInt64(parts[at + 1], radix: 16) {
          words.append(word)
        }
      }
    }
    for line in ProcessFile.lines(of: "/proc/\(process)/timers") where line.hasPrefix("signal:") {
      // signal: 14/00007f3c…
      if let text = line.split(separator: "/").last, let word = UInt64(text, radix: 16) { words.append(word) }
    }
    return words
  }
}
