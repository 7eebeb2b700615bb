import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct CompactTests {
  private func sample() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      for index in 0..<1000 {
        $0.add(3, 0x5000 + UInt64(index) * 64, at: [0x10, 0x20], time: 1010 + UInt64(index) * 7, arguments: [1, 0])
        $0.add(1, 0x5000 + UInt64(index) * 64, count: 2, at: [0x10, 0x30])
      }
    }
    return builder
  }

  /// Calls `body` with a folder that contains the trace app.lifeline.
  private func withSample(_ body: (String) throws -> Void) throws {
    try sample().withFile { try body(String($0.dropLast("/app.lifeline".count))) }
  }

  @Test("A compact trace is a private file beside the trace, and every command reads it like the trace")
  func verbs() throws {
    try withSample { folder in
      let result = try lifeline(["compact", "app.lifeline"], in: folder)
      #expect(result.status == 0 && result.output == "")
      #expect(result.errors.hasPrefix("lifeline: 2000 events: 135 kB became "))
      #expect(result.errors.hasSuffix(" bytes per event, in app.compact.lifeline\n"))
      let mode =
        try FileManager.default.attributesOfItem(atPath: "\(folder)/app.compact.lifeline")[.posixPermissions] as? Int
      #expect(mode == 0o600)
      for verb in [
        ["report", "TRACE"], ["report", "--format", "json", "TRACE"], ["check", "TRACE"],
        ["history", "TRACE", "Node#1"], ["replay", "TRACE", "Node#7"],
      ] {
        func run(_ trace: String) throws -> CommandResult {
          try lifeline(verb.map { $0 == "TRACE" ? trace : $0 }, in: folder)
        }
        try #expect(run("app.compact.lifeline") == run("app.lifeline"))
      }
      try #expect(lifeline(["diff", "app.lifeline", "app.compact.lifeline"], in: folder).status == 0)
    }
  }

  @Test("--expand restores the trace")
  func expansion() throws {
    try withSample { folder in
      try #expect(lifeline(["compact", "-o", "small", "app.lifeline"], in: folder).status == 0)
      try #expect(
        lifeline(["compact", "--expand", "-o", "again", "small"], in: folder)
          == CommandResult(output: "", errors: "lifeline: restored the trace of small to again\n", status: 0))
      #expect(FileManager.default.contentsEqual(atPath: "\(folder)/app.lifeline", andPath: "\(folder)/again"))
      try #expect(
        lifeline(["compact", "--expand", "app.lifeline", "-o", "x"], in: folder)
          == CommandResult(output: "", errors: "lifeline: The file app.lifeline is not a compact trace.\n", status: 2))
      try #expect(
        lifeline(["compact", "small"], in: folder)
          == CommandResult(output: "", errors: "lifeline: The trace small is already compact.\n", status: 2))
    }
  }

  @Test("Files are not overwritten without --force, and links and the trace itself never are")
  func outputs() throws {
    try withSample { folder in
      try "mine".write(toFile: "\(folder)/there", atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "there")
      func compact(_ arguments: String...) throws -> CommandResult {
        try lifeline(["compact", "app.lifeline"] + arguments, in: folder)
      }
      try #expect(
        compact("-o", "there")
          == CommandResult(
            output: "", errors: "lifeline: The file there already exists; use --force to replace it.\n", status: 2))
      try #expect(
        compact("-f", "-o", "link")
          == CommandResult(
            output: "", errors: "lifeline: link is a symbolic link; name another file.\n", status: 2))
      try #expect(
        compact("-f", "-o", "app.lifeline")
          == CommandResult(
            output: "", errors: "lifeline: app.lifeline is the trace itself; name another file.\n",
            status: 2))
      try #expect(String(contentsOfFile: "\(folder)/there", encoding: .utf8) == "mine")
      try #expect(compact("-f", "-o", "there").status == 0)
      try #expect(lifeline(["report", "there"], in: folder).status == 0)
    }
  }

  @Test("A full disk is an error with status 2, and compacting a file that is not a trace leaves no file")
  func failures() throws {
    try withSample { folder in
      let full = try lifeline(["compact", "-f", "-o", "/dev/full", "app.lifeline"], in: folder)
      #expect(
        full
          == CommandResult(
            output: "", errors: "lifeline: Cannot write the file /dev/full: No space left on device.\n", status: 2)
      )
      try "some text\n".write(toFile: "\(folder)/text", atomically: true, encoding: .utf8)
      try #expect(
        lifeline(["compact", "text"], in: folder)
          == CommandResult(output: "", errors: "lifeline: The file text is not a Lifeline trace.\n", status: 2))
      try #expect(
        lifeline(["compact", "gone"], in: folder)
          == CommandResult(output: "", errors: "lifeline: There is no file gone.\n", status: 2))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/text.compact.lifeline"))
      try #expect(lifeline(["compact", "--level", "99", "app.lifeline"], in: folder).status == 64)
    }
  }

  @Test("A trace that is cut off is compacted up to there, and the missing part is reported")
  func cutOff() throws {
    try sample().withFile({ $0.removeLast(60_000) }) { path in
      let folder = String(path.dropLast("/app.lifeline".count))
      let result = try lifeline(["compact", "app.lifeline"], in: folder)
      #expect(result.status == 0)
      #expect(
        result.errors.hasPrefix(
          "lifeline: The file is cut off: 60000 bytes of its last chunk are missing. "
            + "The compact form has the same damage.\n"
        ))
      try #expect(
        lifeline(["report", "app.compact.lifeline"], in: folder) == lifeline(["report", "app.lifeline"], in: folder))
    }
  }
}
