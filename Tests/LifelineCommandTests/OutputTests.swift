import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

/// Where output goes, and where it must not.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct OutputTests {
  private func withTrace(_ body: (_ folder: String) throws -> Void) throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10, 0x20], time: 1010, arguments: [1, 0])
      $0.add(5, 0x5000, at: [0x10, 0x31])
    }
    try builder.withFile { path in
      try withTemporaryFolder { folder in
        try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/trace")
        try body(folder)
      }
    }
  }

  @Test(
    "No output replaces the trace it is made from, under any of its names",
    arguments: [
      ["report", "trace", "-o"], ["profile", "trace", "-o"], ["profile", "trace", "--against", "trace", "-o"],
      ["export", "trace", "--format", "collapsed", "-o"], ["export", "trace", "--format", "sqlite", "-o"],
      ["compact", "trace", "-o"], ["check", "trace", "--report"],
    ])
  func ownTrace(_ words: [String]) throws {
    try withTrace { folder in
      try FileManager.default.linkItem(atPath: "\(folder)/trace", toPath: "\(folder)/other")
      let before = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/trace"))
      for name in ["trace", "other"] {
        let result = try lifeline(words + [name, "--force"], in: folder)
        #expect(
          result
            == CommandResult(
              output: "", errors: "lifeline: \(name) is the trace itself; name another file.\n",
              status: 2))
        try #expect(Data(contentsOf: URL(fileURLWithPath: "\(folder)/trace")) == before)
      }
    }
  }

  @Test(
    "An output path that cannot be a file is an error, even with --force", arguments: ["report", "profile", "export"])
  func places(_ verb: String) throws {
    try withTrace { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/sub", withIntermediateDirectories: false)
      let sentences = [
        "sub": "sub is a folder; name a file.",
        "": "The name of the output file is empty.",
        "gone/file": "There is no folder gone for gone/file; create it, or name another file.",
      ]
      for (name, sentence) in sentences {
        let result = try lifeline(
          [verb, "trace", "--force", "-o", name] + (verb == "export" ? ["--format", "collapsed"] : []), in: folder)
        #expect(result == CommandResult(output: "", errors: "lifeline: \(sentence)\n", status: 2))
      }
    }
  }

  @Test("An output that cannot be written completely leaves the previous file unchanged and no partial file")
  func whole() throws {
    try withTrace { folder in
      try "earlier\n".write(toFile: "\(folder)/out", atomically: true, encoding: .utf8)
      let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let words = [
        ["report", "trace", "--format", "html"], ["compact", "trace"], ["export", "trace", "--format", "perfetto"],
        ["check", "trace", "--format", "json", "--report"],
      ]
      for var words in words {
        words += words.last == "--report" ? ["out"] : ["-o", "out"]
        // A file size limit of zero bytes, which fails like a full disk.
        let script = "(trap '' XFSZ; ulimit -f 0; exec \"$@\" 2>&1) | cat"
        let result = try CommandResult.run(
          "bash", ["-o", "pipefail", "-c", script, "bash", BuiltPackage.lifeline] + words + ["--force"], folder: folder)
        #expect(result.output == "lifeline: Cannot write the file out: File too large.\n" && result.status == 2)
        try #expect(String(contentsOfFile: "\(folder)/out", encoding: .utf8) == "earlier\n")
        try #expect(FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
      }
    }
  }

  @Test("Two reports to the same file are rejected before the program runs")
  func twice() throws {
    try withTrace { folder in
      for words in [["--report", "a", "--also", "json=a"], ["--also", "html=a", "--also", "json=a"]] {
        let result = try lifeline(["check"] + words + ["trace"], in: folder)
        #expect(result.status == 64)
        #expect(result.errors.contains("a is named for two reports; give each its own file."))
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/a"))
      }
    }
  }

  @Test("The suggested next command can be pasted, and no name can control the terminal")
  func names() throws {
    let program = try TestProgram("final class Leaf {}\n_ = Leaf()\n", options: ["-Onone"])
    try withTemporaryFolder { folder in
      let spaced = try lifeline(["record", "-o", "a b", "--", program.path], in: folder)
      #expect(spaced.errors.hasSuffix("; next: lifeline report 'a b'\n"), "\(spaced.errors)")
      let red = try lifeline(["report", "\u{1B}[31mred\n"], in: folder)
      #expect(red.errors == "lifeline: There is no file \u{FFFD}[31mred\u{FFFD}.\n")
    }
  }

  @Test("Counts of retains say when the recording's depth had none")
  func uncounted() throws {
    let program = try TestProgram("final class Leaf {}\n_ = Leaf()\n", options: ["-Onone"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "lives", "--depth", "lives", program.path], in: folder).status == 0)
      try #expect(lifeline(["record", "-q", "-o", "full", program.path], in: folder).status == 0)
      for words in [["objects"], ["profile"], ["export", "--format", "collapsed"]] {
        let sentence =
          "lifeline: Recorded at depth lives: retains and releases were not recorded and count as 0 here.\n"
        try #expect(lifeline(words + ["lives"], in: folder).errors.contains(sentence), "\(words)")
        try #expect(!lifeline(words + ["full"], in: folder).errors.contains("count as 0"), "\(words)")
      }
    }
  }
}
