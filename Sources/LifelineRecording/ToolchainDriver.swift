import Glibc

/// `swift test` or `swift run`: a program of the toolchain that builds and then starts the program that is meant.
///
/// The toolchain's own programs are Swift too. Recording the compiler under `swift test` would answer a question that
/// nobody asked; a program of the toolchain that is named itself, like swift-format, is recorded.
struct ToolchainDriver: Equatable {
  private static let names: Set<Substring> = ["swift", "swift-test", "swift-run"]
  /// The toolchain's folder: nothing in it is to be recorded.
  let folder: String

  /// Nil when the program is none.
  init?(path: String) {
    guard let name = path.split(separator: "/").last, Self.names.contains(name), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    // "swift" is a link to the driver in the toolchain's bin folder, and SwiftPM is there as well.
    let bin = String(cString: resolved).split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    guard bin.hasSuffix("/bin"), access("\(bin)/swift-package", X_OK) == 0 else { return nil }
    folder = String(bin.dropLast("/bin".count))
  }
}
