import LifelineHeap

/// The Swift runtime of a running process, as a library or linked into the program.
public enum SwiftRuntime {
  /// Whether the process can be examined and has none.
  public static func isMissing(in process: Int) -> Bool {
    let regions = ProcessMaps.regions(of: process)
    guard !regions.isEmpty, !isLoaded(regions), let file = ProgramFile(path: "/proc/\(process)/exe") else {
      return false
    }
    return file.runtime != .inside && file.runtime != .insideStripped
  }

  /// Whether it is among the libraries.
  static func isLoaded(_ regions: [MemoryRegion]) -> Bool {
    regions.contains { $0.path.split(separator: "/").last?.hasPrefix("libswiftCore.so") == true }
  }
}
