import Glibc

/// `swift test` or `swift run`: a program of the toolchain that builds and then starts the program that is meant.
///
/// The toolchain's own programs are Swift too, but recording the compiler under `swift test` would be pointless; a
/// program of the toolchain that is given explicitly, like swift-format, is recorded.
struct ToolchainDriver: Equatable {
  /// What it was asked to do.
  enum Work: Equatable { case test, run, other }

  private static let names: Set<Substring> = ["swift", "swift-test", "swift-run"]
  /// The toolchain's folder: nothing in it is to be recorded.
  let folder: String
  let work: Work

  /// Nil when the program is none; `command` is its first argument.
  init?(path: String, command: String? = nil) {
    guard let name = path.split(separator: "/").last, Self.names.contains(name), let resolved = realpath(path, nil)
    else { return nil }
    defer { free(resolved) }
    // "swift" is a link to the driver in the toolchain's bin folder, and SwiftPM is there as well.
    let bin = String(cString: resolved).split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    guard bin.hasSuffix("/bin"), access("\(bin)/swift-package", X_OK) == 0 else { return nil }
    folder = String(bin.dropLast("/bin".count))
    switch name == "swift" ? command : String(name.dropFirst("swift-".count)) {
    case "test": work = .test
    case "run": work = .run
    default: work = .other
    }
  }

  /// The processes that are meant: tests, or the program that `swift run` becomes, with all that these start. Left out
  /// are manifests, plugins, macros and tools that ran for the build.
  ///
  /// `process` is the driver's own process ID, and that of the program which `swift run` executes in its place.
  func subjects(of processes: [RecordedProcess], process: Int) -> [RecordedProcess] {
    var meant: Set<Int> = []
    return processes.sorted { $0.startTime < $1.startTime }.filter { candidate in
      let isMeant =
        switch work {
        case .test: candidate.isTestProduct
        case .run: candidate.process == process
        case .other: !candidate.isPackageProgram
        }
      guard isMeant || meant.contains(candidate.parent) || meant.contains(candidate.process) else { return false }
      meant.insert(candidate.process)
      return true
    }
  }
}

extension ProgramArguments {
  /// The same for another run of what `swift test` or `swift run` has built: it is not looked at again, and several may
  /// run.
  public func withoutBuild(of program: String) -> ProgramArguments {
    let options = ["--skip-build", "--ignore-lock"].map { Array($0.utf8) }
    guard let (driver, path) = driver(program), driver.work != .other, !words.contains(options[0]) else { return self }
    // Of "swift test" the options come after the command.
    return ProgramArguments(inserting: options, at: path.hasSuffix("/swift") ? 2 : 1, in: self)
  }

  /// Whether that is `swift test` or `swift run`, and builds first.
  public func canBuild(_ program: String) -> Bool { withoutBuild(of: program) != self }

  /// Whether that is `swift test`.
  public func areTests(of program: String) -> Bool { driver(program)?.driver.work == .test }

  private func driver(_ program: String) -> (driver: ToolchainDriver, path: String)? {
    guard let path = try? ProgramInspection(program: program).path,
      let driver = ToolchainDriver(
        path: path, command: words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil)
    else { return nil }
    return (driver, path)
  }
}
