import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

/// Exports for other tools, with hostile names, damage and full disks.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ExportTests {
  static let hostile =
    "App.\"Quote\";DROP TABLE objects;--\n=cmd()|\u{1B}[31m\u{202E}" + String(repeating: "long", count: 15_000)

  static func sample(name: String = "App.Node") -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, name)
    builder.addThread(2, name: "worker\n;\"")
    builder.addEvents {
      for index in 0..<100 as Range<UInt64> {
        let node = 0x5000 + index * 64
        $0.add(3, node, at: [0x10, 0x20], time: 1010 + index * 70, arguments: [1, 0])
        $0.add(1, node, count: 2, at: [0x10, 0x30])
        $0.add(2, node, count: 1, at: [0x10, 0x31])
        if index % 2 == 0 {
          $0.add(2, node, count: 0, at: [0x10, 0x40], time: 1050 + index * 70)
          $0.add(4, node, at: [0x10, 0x40], time: 1051 + index * 70)
        }
      }
    }
    return builder
  }

  /// Calls `body` with a folder that contains the trace app.lifeline.
  static func withSample(
    name: String = "App.Node", _ change: (inout [UInt8]) -> Void = { _ in }, _ body: (String) throws -> Void
  ) throws {
    try sample(name: name).withFile(change) { try body(String($0.dropLast("/app.lifeline".count))) }
  }

  private func export(_ arguments: String..., in folder: String) throws -> CommandResult {
    try lifeline(["export", "app.lifeline"] + arguments, in: folder)
  }

  @Test("An object with more events than the Perfetto limit gets no track, and that is reported")
  func manyEvents() throws {
    try withTemporaryFolder { folder in
      let program = BuiltPackage.buildFolder.appendingPathComponent("lifeline-workloads").path
      let recorded = try lifeline(
        ["record", "-q", "-o", "app.lifeline", program, "loop", "--count", "70000"], in: folder)
      try #require(recorded.status == 0, "\(recorded)")
      let result = try export("--format", "perfetto", "--limit", "300", "-o", "out", in: folder)
      #expect(
        result.errors == """
          lifeline: No track for RetainReleaseLoop.Item#3: more than 250000 retains and releases in all. \
          'lifeline history' shows any object's.

          """)
      #expect(result.status == 0)
    }
  }

  @Test("Collapsed stacks have frames and a number on each line, for every countable quantity")
  func collapsed() throws {
    try Self.withSample { folder in
      func text(_ arguments: String...) throws -> String {
        try lifeline(["export", "app.lifeline", "--format", "collapsed"] + arguments, in: folder).output
      }
      try #expect(text() == "0xf;0x1f 100\n")
      try #expect(text("--metric", "live") == "0xf;0x1f 50\n")
      try #expect(text("--metric", "live-bytes") == "0xf;0x1f 1600\n")
      try #expect(text("--metric", "releases") == "0xf;0x30 100\n0xf;0x3f 50\n")
      try #expect(text("--metric", "avoidable", "--by", "class") == "App.Node;0xf;0x2f 100\n")
    }
  }

  @Test("Options that a format does not use are named, and it is written all the same")
  func unusedOptions() throws {
    try Self.withSample { folder in
      let collapsed = try export("--format", "collapsed", "--limit", "3", in: folder)
      #expect(collapsed.errors == "lifeline: --limit has no effect on the format collapsed.\n")
      #expect(collapsed.output == "0xf;0x1f 100\n" && collapsed.status == 0)
      let speedscope = try export(
        "--format", "speedscope", "--metric", "live", "--host", "h", "--by", "code", in: folder)
      #expect(
        speedscope.errors == "lifeline: --metric and --host have no effect on the format speedscope.\n"
          && speedscope.status == 0)
    }
  }

  @Test("A speedscope file is valid for its format, whatever the class names")
  func speedscope() throws {
    let schema = try JSONSchema(
      #require(Bundle.module.url(forResource: "speedscope-part", withExtension: "json", subdirectory: "Schemas")))
    for name in ["App.Node", Self.hostile] {
      try Self.withSample(name: name) { folder in
        let result = try export("--format", "speedscope", "--by", "class", in: folder)
        #expect(result.status == 0 && result.errors == "")
        try #expect(schema.problems(result.output) == [])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let profiles = try #require(document["profiles"] as? [[String: Any]])
        #expect(
          profiles.compactMap { $0["name"] as? String } == [
            "allocations", "bytes", "live", "live-bytes", "retains", "releases", "avoidable",
          ])
        let frames = try #require((document["shared"] as? [String: Any])?["frames"] as? [Any]).count
        for profile in profiles {
          let samples = try #require(profile["samples"] as? [[Int]])
          let weights = try #require(profile["weights"] as? [Int])
          #expect(samples.count == weights.count && samples.joined().allSatisfy { (0..<frames).contains($0) })
          #expect(profile["endValue"] as? Int == weights.reduce(0, +))
        }
      }
    }
  }

  @Test("sqlite3 answers the usual questions from an exported database", .needs(.sqlite))
  func database() throws {
    try Self.withSample { folder in
      let result = try export("--format", "sqlite", "-o", "t.db", in: folder)
      #expect(result == CommandResult(output: "", errors: "", status: 0))
      func ask(_ question: String) throws -> String {
        try TestTool.sqlite.run(["t.db", question], folder: folder).output
      }
      try #expect(ask("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
      try #expect(ask("SELECT value FROM trace WHERE key = 'schema'") == "lifeline.sqlite/1\n")
      try #expect(ask("SELECT * FROM class_totals") == "App.Node|100|3200|50|1600|100|150|100\n")
      try #expect(ask("SELECT * FROM live_by_site") == "App.Node|0x1f|||50|1600\n")
      try #expect(
        ask("SELECT object, state, lifetime_ns FROM lives LIMIT 2") == "App.Node#1|freed|40\nApp.Node#3|freed|40\n")
      try #expect(ask("SELECT state, count(*) FROM objects GROUP BY 1") == "freed|50\nlive|50\n")
      try #expect(ask("SELECT count(*) FROM backtraces b JOIN frames f ON f.id = b.frame") == "6\n")
      try #expect(
        ask(
          "SELECT count(*) FROM lifetimes; SELECT count(*) FROM moved_between_threads; SELECT count(*) FROM site_totals"
        ) == "1\n0\n4\n")
      let few = try export("--format", "sqlite", "-f", "-o", "t.db", "--limit", "7", in: folder)
      #expect(
        few
          == CommandResult(
            output: "", errors: "lifeline: 93 objects beyond the limit have no row; the counts include them.\n",
            status: 0)
      )
      try #expect(ask("SELECT count(*), (SELECT sum(allocations) FROM sites) FROM objects") == "7|100\n")
    }
  }

  @Test("Hostile names cannot end a line, a string or a statement, and do not inflate a file", .needs(.sqlite))
  func hostileNames() throws {
    try Self.withSample(name: Self.hostile) { folder in
      let lines = try export("--format", "collapsed", "--by", "class", in: folder).output
      #expect(lines.hasPrefix("App.\"Quote\",DROP TABLE objects,--\u{FFFD}=cmd()|\u{FFFD}[31m\u{FFFD}longlong"))
      #expect(lines.hasSuffix(";0xf;0x1f 100\n") && lines.split(separator: "\n").count == 1 && lines.utf8.count < 5000)
      try #expect(export("--format", "sqlite", "-o", "t.db", in: folder).status == 0)
      let name = try TestTool.sqlite.run(
        ["t.db", "SELECT name FROM classes WHERE id = 1; SELECT count(*) FROM objects"], folder: folder
      ).output
      #expect(
        name.hasPrefix("App.\"Quote\";DROP TABLE objects;--\u{FFFD}=cmd()|") && name.hasSuffix("longlong\n100\n")
          && name.utf8.count < 5000)
      try #expect(
        JSONSchema(published: "profile-1").problems(
          lifeline(["profile", "app.lifeline", "--format", "json"], in: folder).output) == [])
      let difference = try lifeline(["profile", "app.lifeline", "--against", "app.lifeline"], in: folder)
      #expect(difference.status == 0 && difference.output.hasSuffix("\n\nNothing differs.\n"), "\(difference.errors)")
      let text = try lifeline(["profile", "app.lifeline"], in: folder).output
      #expect(text.utf8.count < 5000 && !text.contains("\u{1B}"))
    }
  }

  @Test("The readable part of a damaged trace is exported, and the status says that it is incomplete", .needs(.sqlite))
  func damage() throws {
    try Self.withSample({ $0.removeLast(60_000) }) { folder in
      for format in ["collapsed", "speedscope", "sqlite", "pprof", "perfetto"] {
        let result = try export("--format", format, "-o", format, in: folder)
        #expect(result.status == 2 && result.output == "")
        #expect(
          result.errors.contains("60000 bytes of its last chunk are missing. What could be read was exported.\n"),
          "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(format)"))
      }
      let stated = try TestTool.sqlite.run(["sqlite", "SELECT count(*) > 0 FROM problems"], folder: folder)
      #expect(stated.output == "1\n")
      let profile = try lifeline(["profile", "app.lifeline"], in: folder)
      #expect(profile.status == 2 && profile.output.hasPrefix("app: "))
    }
  }

  @Test(
    "Files are not overwritten without --force, and a full disk is an error that leaves no partial file",
    .needs(.sqlite))
  func outputs() throws {
    try Self.withSample { folder in
      try "mine".write(toFile: "\(folder)/there", atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "there")
      func refusal(_ sentence: String) -> CommandResult {
        CommandResult(output: "", errors: "lifeline: \(sentence)\n", status: 2)
      }
      for format in ["collapsed", "speedscope", "sqlite", "pprof", "perfetto"] {
        try #expect(
          export("--format", format, "-o", "there", in: folder)
            == refusal("The file there already exists; use --force to replace it."))
        try #expect(
          export("--format", format, "-f", "-o", "link", in: folder)
            == refusal("link is a symbolic link; name another file."))
        try #expect(
          export("--format", format, "-o", "no/such", in: folder)
            == refusal("There is no folder no for no/such; create it, or name another file."))
        let full = try export("--format", format, "-f", "-o", "/dev/full", in: folder)
        let reason =
          format == "sqlite"
          ? "/dev/full is not a regular file, which this format needs."
          : "Cannot write the file /dev/full: No space left on device."
        #expect(full == refusal(reason))
      }
      try #expect(String(contentsOfFile: "\(folder)/there", encoding: .utf8) == "mine")
      try #expect(export("--format", "collapsed", "-f", "-o", "there", in: folder).status == 0)
      try #expect(String(contentsOfFile: "\(folder)/there", encoding: .utf8) == "0xf;0x1f 100\n")
      try #expect(
        lifeline(["export", "gone", "--format", "sqlite", "-o", "x"], in: folder) == refusal("There is no file gone."))
      try #expect(export("--format", "sqlite", in: folder).status == 64)
      try #expect(
        FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["app.lifeline", "link", "there"])
    }
  }

  @Test("A database that outgrows its disk or whose export is killed leaves no file, and a reader may stop early")
  func fullDiskAndClosedPipe() throws {
    try Self.withSample { folder in
      // Exceeding a file size limit, in blocks of 512 bytes, fails like a full disk.
      let limited =
        "ulimit -f 32; trap '' XFSZ; exec '\(BuiltPackage.lifeline)' export app.lifeline --format sqlite -o t.db"
      let result = try CommandResult.run("/bin/sh", ["-c", limited], folder: folder)
      #expect(result.status == 2 && result.errors.hasPrefix("lifeline: Cannot write the file t.db: "), "\(result)")
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["app.lifeline"])
      // Killed while writing, here by the limit's own signal, which is not ignored.
      let killed = try CommandResult.run(
        "/bin/sh",
        ["-c", "ulimit -f 0; exec '\(BuiltPackage.lifeline)' export app.lifeline --format collapsed -o t"],
        folder: folder
      )
      #expect(killed.status != 0 && killed.output == "", "\(killed)")
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["app.lifeline"])
      let pipe = try CommandResult.run(
        "/bin/bash",
        ["-c", "'\(BuiltPackage.lifeline)' export app.lifeline --format speedscope | true; exit ${PIPESTATUS[0]}"],
        folder: folder)
      #expect(pipe == CommandResult(output: "", errors: "", status: 0))
    }
  }
}
