import Glibc

/// `swift test` or `swift run`: a program of the toolchain that builds and then starts the actual program.
///
/// The toolchain's own programs are Swift too, but recording the compiler under `swift test` would be pointless; a
/// program of the toolchain that is given explicitly, like swift-format, is recorded.
struct ToolchainDriver: Equatable {
  /// The subcommand.
  enum Work: Equatable { case test, run, other }

  private static let names: Set<Substring> = ["swift", "swift-test", "swift-run"]
  /// The toolchain's folder, in which nothing is recorded.
  let folder: String
  let work: Work

  /// Nil if the program is not one; `command` is its first argument.
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

  /// The processes the run is about: tests, or the program that `swift run` becomes, with everything these start.
  /// Manifests, plugins, macros and tools run for the build are excluded.
  ///
  /// `process` is the driver's own process ID, which the program executed by `swift run` keeps.
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
  /// The arguments for another run of what `swift test` or `swift run` has built, without checking the build again, so
  /// that several can run.
  public func withoutBuild(of program: String) -> ProgramArguments {
    let options = ["--skip-build", "--ignore-lock"].map { Array($0.utf8) }
    guard let (driver, path) = driver(program), driver.work != .other, !words.contains(options[0]) else { return self }
    // The options of "swift test" follow the command.
    return ProgramArguments(inserting: options, at: path.hasSuffix("/swift") ? 2 : 1, in: self)
  }

  /// Whether the program is `swift test` or `swift run`, which build first.
  public func canBuild(_ program: String) -> Bool { withoutBuild(of: program) != self }

  /// Whether the program is `swift test`.
  public func areTests(of program: String) -> Bool { driver(program)?.driver.work == .test }

  private func driver(_ program: String) -> (driver: ToolchainDriver, path: String)? {
    guard let path = try? ProgramInspection(program: program).path,
      let driver = ToolchainDriver(
        path: path, command: words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil)
    else { return nil }
    return (driver, path)
  }
}
