import Glibc

/// The mappings of a process, as /proc/PID/maps lists them.
public enum ProcessMaps {
  /// Empty if the process is gone or may not be examined.
  public static func regions(of process: Int) -> [MemoryRegion] {
    ProcessFile.lines(of: "/proc/\(process)/maps").compactMap(region)
  }

  static func region(_ line: Substring) -> MemoryRegion? {
    let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard words.count >= 5 else { return nil }
    let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard bounds.count == 2, bounds[0] < bounds[1], words[1].utf8.count >= 4 else { return nil }
    return MemoryRegion(
      addresses: bounds[0]..<bounds[1], isReadable: words[1].hasPrefix("r"),
      isWritable: words[1].dropFirst().hasPrefix("w"),
      isExecutable: words[1].dropFirst(2).hasPrefix("x"), isShared: words[1].hasSuffix("s"),
      path: words.count > 5 ? String(words[5].drop { $0 == " " }) : "",
      fileOffset: UInt64(words[2], radix: 16) ?? 0, inode: UInt64(words[4]) ?? 0)
  }
}
