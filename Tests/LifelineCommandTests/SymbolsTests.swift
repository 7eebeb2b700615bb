import Foundation
import LifelineTestSupport
import Testing

/// Traces whose program is not where it ran, as after copying them from another host.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct SymbolsTests {
  private static let source = """
    final class Pane { var model: Model? }
    final class Model { var pane: Pane? }
    func open() {
      let pane = Pane(), model = Model()
      pane.model = model
      model.pane = pane
    }
    open()
    """
  private static let hasClient = dlopen("libdebuginfod.so.1", RTLD_NOW) != nil
  private static let isContinuous = ProcessInfo.processInfo.environment["CI"] == "true"

  /// Records the program and moves it to `symbols/moved`.
  private func record(in folder: String) throws {
    try TestProgram(Self.source, options: ["-Onone", "-g"]).copy(to: "\(folder)/program")
    let run = try lifeline(["record", "-o", "trace", "--", "./program"], in: folder)
    try #require(run.status == 0, "\(run.errors)")
    try FileManager.default.createDirectory(atPath: "\(folder)/symbols", withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: "\(folder)/program", toPath: "\(folder)/symbols/moved")
  }

  @Test("A trace from another machine names the missing file, and --symbols supplies the names")
  func folder() throws {
    try withTemporaryFolder { folder in
      try record(in: folder)
      let without = try lifeline(["report", "trace"], in: folder)
      #expect(without.output.contains("program no longer exists; its frames are shown as offsets. Use --symbols"))
      #expect(
        without.output.split(separator: "\n").joined(separator: " ").contains(
          "Late deallocations and near misses are recognized by names and lines, so some may be missing."))
      #expect(!without.output.contains("open()"))
      for verb in [["report"], ["profile"]] {
        let found = try lifeline(verb + ["trace", "--symbols", "symbols"], in: folder)
        #expect(found.output.contains("open()"), "\(verb)")
        #expect(!(found.output + found.errors).contains("offsets"), "\(verb)")
      }
      let path = try lifeline(["leaks", "trace", "--symbols", "symbols"], in: folder)
      #expect(path.output.contains("Pane.model"))
      let history = try lifeline(["history", "trace", "Pane#1", "--symbols", "symbols"], in: folder)
      #expect(history.output.contains("open()"))
    }
  }

  @Test("A stripped program is named, with what may be missing without its names")
  func stripped() throws {
    try withTemporaryFolder { folder in
      try TestProgram(Self.source, options: ["-Onone", "-g"]).copy(to: "\(folder)/program")
      try FileManager.default.copyItem(atPath: "\(folder)/program", toPath: "\(folder)/whole")
      try #require(CommandResult.run("/usr/bin/env", ["strip", "program"], folder: folder).status == 0)
      let run = try lifeline(["check", "-o", "trace", "--", "./program"], in: folder)
      let text = run.output.split(separator: "\n").joined(separator: " ")
      #expect(text.contains("program is stripped; its frames are shown as offsets. Use --symbols FOLDER to search"))
      #expect(text.contains("Late deallocations and near misses are recognized by names and lines, so some may be"))
      let found = try lifeline(["report", "trace", "--symbols", "."], in: folder)
      #expect(found.output.contains("open()") && !found.output.contains("stripped"))
    }
  }

  @Test("--symbols must name a folder")
  func noFolder() throws {
    try withTemporaryFolder { folder in
      let result = try lifeline(["report", "trace", "--symbols", "gone"], in: folder)
      #expect(result.status == 64 && result.output.isEmpty)
      #expect(result.errors.contains("--symbols gone is not a folder."))
    }
  }

  @Test("live finds the names for a trace from another machine in the folder of --symbols")
  func live() throws {
    try withTemporaryFolder { folder in
      try record(in: folder)
      let without = try lifeline(["live", "--once", "--format", "json", "trace"], in: folder)
      let with = try lifeline(["live", "--once", "--format", "json", "trace", "--symbols", "symbols"], in: folder)
      #expect(without.status == 0 && !without.output.contains("open()"), "\(without)")
      #expect(with.status == 0 && with.output.contains("open()"), "\(with)")
    }
  }

  @Test(
    "Waiting for a slow server is reported",
    .enabled(if: hasClient || isContinuous, "needs libdebuginfod1, which Scripts/setup installs"))
  func slowServer() throws {
    // The server accepts connections and never answers.
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(server) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(server, $0, size) == 0 && listen(server, 16) == 0 && getsockname(server, $0, &size) == 0
      }
    }
    try #require(isOpen)
    try withTemporaryFolder { folder in
      try record(in: folder)
      let environment = [
        "DEBUGINFOD_URLS": "http://127.0.0.1:\(address.sin_port.byteSwapped)/", "DEBUGINFOD_TIMEOUT": "3",
        "DEBUGINFOD_CACHE_PATH": "\(folder)/cache",
      ]
      let result = try lifeline(["report", "trace"], in: folder, environment: environment)
      let sentence = "waiting for the servers of DEBUGINFOD_URLS, which may have files that are missing here"
      #expect(result.status == 0 && result.errors == "lifeline: \(sentence)\n", "\(result.errors)")
    }
  }

  @Test(
    "DEBUGINFOD_URLS servers are asked for a missing program and for a stripped program's debug file",
    .enabled(if: hasClient || isContinuous, "needs libdebuginfod1, which Scripts/setup installs"),
    arguments: [false, true])
  func servers(isStripped: Bool) throws {
    try withTemporaryFolder { folder in
      try record(in: folder)
      let moved = "\(folder)/symbols/moved"
      let notes = try CommandResult.run("readelf", ["-n", moved]).output
      let id = try #require(notes.firstMatch(of: #/Build ID: ([0-9a-f]+)/#)).output.1
      let place = "\(folder)/served/buildid/\(id)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      if isStripped {
        let only = try CommandResult.run("objcopy", ["--only-keep-debug", moved, "\(place)/debuginfo"])
        let strip = try CommandResult.run("strip", ["--strip-all", moved])
        try #require(only.status == 0 && strip.status == 0)
        try FileManager.default.moveItem(atPath: moved, toPath: "\(folder)/program")
      } else {
        try FileManager.default.moveItem(atPath: moved, toPath: "\(place)/executable")
      }
      let without = try lifeline(["report", "trace"], in: folder, environment: ["DEBUGINFOD_URLS": ""])
      #expect(!without.output.contains("open()"))
      // URLs are separated by spaces.
      let url = "file://\(folder)/served/".replacing(" ", with: "%20")
      let environment = ["DEBUGINFOD_URLS": url, "DEBUGINFOD_CACHE_PATH": "\(folder)/cache"]
      let found = try lifeline(["report", "trace"], in: folder, environment: environment)
      #expect(found.output.contains("open()") && found.output.contains("Pane.model"))
      #expect(!found.output.contains("offsets"))
    }
  }
}
