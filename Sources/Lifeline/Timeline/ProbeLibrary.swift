import CLifelineHarness
import Glibc

/// The probe's library, for a process that it was not preloaded into.
struct ProbeLibrary {
  static let fileName = "libLifelineProbe.so"

  /// Loads it from LIFELINE_PROBE, otherwise from next to the executable.
  ///
  /// - Throws: `TimelineError` naming the places that were tried.
  func load() throws {
    let path = try find()
    if let problem = lifeline_harness_load(path) {
      throw TimelineError("The probe \(path) cannot be loaded: \(String(cString: problem)).")
    }
  }

  /// Search order: next to the executable, its resources (`Plugins/ProbeBuilder`), the installation folders.
  private static func folders(executableFolder folder: String) -> [String] {
    [
      folder, "\(folder)/Lifeline_Lifeline.resources", "\(folder)/../lib", "\(folder)/../lib/lifeline",
      "/usr/lib/lifeline",
    ]
  }

  private func find() throws -> String {
    if let chosen = getenv("LIFELINE_PROBE").map({ String(cString: $0) }), !chosen.isEmpty {
      guard access(chosen, R_OK) == 0 else {
        throw TimelineError("The probe \(chosen) named by LIFELINE_PROBE cannot be read.")
      }
      return chosen
    }
    guard let real = realpath("/proc/self/exe", nil) else { throw TimelineError("The program has no path.") }
    defer { free(real) }
    let executable = String(cString: real)
    let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let candidates = Self.folders(executableFolder: folder).map { "\($0)/\(Self.fileName)" }
    if let found = candidates.first(where: { access($0, R_OK) == 0 }) { return found }
    throw TimelineError(
      "The probe \(Self.fileName) is not next to \(executable); copy it there, or set LIFELINE_PROBE.")
  }
}
