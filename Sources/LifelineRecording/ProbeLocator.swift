import Glibc

/// Finds the probe's library.
public struct ProbeLocator {
  static let fileName = "libLifelineProbe.so"

  public init() {}

  /// Path of the probe: LIFELINE_PROBE, otherwise next to the executable.
  ///
  /// - Throws: `RecordingError` naming the paths that were tried.
  public func locate() throws -> String {
    if let chosen = getenv("LIFELINE_PROBE").map({ String(cString: $0) }), !chosen.isEmpty {
      guard access(chosen, R_OK) == 0 else {
        throw RecordingError("The probe \(chosen) named by LIFELINE_PROBE cannot be read.")
      }
      return absolute(chosen)
    }
    guard let executable = realPath("/proc/self/exe") else {
      throw RecordingError("The lifeline executable has no path.")
    }
    let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let candidates = [folder, folder + "/../lib", folder + "/../lib/lifeline"].map { "\($0)/\(Self.fileName)" }
    if let found = candidates.first(where: { access($0, R_OK) == 0 }) { return absolute(found) }
    throw RecordingError(
      "The probe \(Self.fileName) is not next to \(executable); "
        + "build it with 'swift build' or name it in LIFELINE_PROBE."
    )
  }

  private func absolute(_ path: String) -> String { realPath(path) ?? path }

  private func realPath(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
