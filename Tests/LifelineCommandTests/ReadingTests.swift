import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ReadingTests {
  @Test("A file that is not a trace is an error with status 2 for every command that reads")
  func refusals() throws {
    try withTemporaryFolder { folder in
      try "".write(toFile: "\(folder)/empty", atomically: true, encoding: .utf8)
      try "some text\n".write(toFile: "\(folder)/text", atomically: true, encoding: .utf8)
      for verb in [["report"], ["check"], ["history"]] {
        let last = verb == ["history"] ? ["A#1"] : []
        try #expect(
          lifeline(verb + ["empty"] + last, in: folder)
            == CommandResult(
              output: "", errors: "lifeline: The file empty is empty, so it is not a trace.\n", status: 2))
        try #expect(
          lifeline(verb + ["text"] + last, in: folder)
            == CommandResult(output: "", errors: "lifeline: The file text is not a Lifeline trace.\n", status: 2))
        let missing =
          verb == ["check"]
          ? "There is no trace gone. To check a program, put -- before it: lifeline check -- gone"
          : "There is no file gone."
        try #expect(
          lifeline(verb + ["gone"] + last, in: folder)
            == CommandResult(output: "", errors: "lifeline: \(missing)\n", status: 2))
      }
    }
  }

  private func sample() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10, 0x20], time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, at: [0x10, 0x30])
      $0.add(2, 0x5000, count: 1, at: [0x10, 0x31])
      $0.add(3, 0x6000, at: [0x10, 0x20], time: 1100, arguments: [1, 0])
    }
    return builder
  }

  @Test("The text report of a synthetic trace is as expected")
  func textReport() throws {
    try sample().withFile { path in
      let result = try lifeline(["report", path], in: "/")
      #expect(
        result.output == """
          app (process 4711) exited with status 0 after 1 ms
          4 events of 2 objects on 1 thread; 0 lost
          Verdict: clean (leaks and uses of freed objects were not looked for)

          Classes
            class     allocated  live at exit  peak  retains  releases  size
            App.Node          2             2     2        1         1    32

          Live at exit (reachability was not examined)
            2 × App.Node  64 B, allocated at
                0xf and 1 more inside it

          What was not seen
            Leaks were not looked for: the program's memory was not examined when it ended, as when it calls _exit.

          """)
    }
  }

  @Test("A missing image is reported even if only live objects refer to it")
  func missingImage() throws {
    var builder = sample()
    builder.addImage(1, "/gone/library.so", addresses: 1..<0x1000)
    try builder.withFile { path in
      let output = try lifeline(["report", path], in: "/").output
      #expect(output.contains("library.so+0xf"))
      #expect(
        output.contains("The file /gone/library.so no longer exists; its frames are shown as offsets."),
        "\(output)")
    }
  }

  @Test("The history of a synthetic object is as expected")
  func history() throws {
    try sample().withFile { path in
      let result = try lifeline(["history", path, "Node#1"], in: "/")
      #expect(
        result.output == """
          Node#1  App.Node  0x5000

          event  what      change  count  balanced by   time  thread       responsible
              1  allocate      +1      1     unpaired  10 ns  main thread  0x1f
              2  retain        +1      2     unpaired  10 ns  main thread  0x2f
              3  release       -1      1     unpaired  10 ns  main thread  0x30

          0 of 2 references are balanced (~ marks likely pairs); 2 retains not balanced; 1 release without a retain.

          Holders
            holder         from  to   time  pairing  rule
            0x1f    owner     1      90 ns  open
            0x2f    owner     2      90 ns  open

          Verdict: never
            1 release of Node#1 could not be paired with a retain, so its holders are likely, not certain.

          """)
    }
  }

  @Test("Between events without times no time is shown, and a live object's age lasts to the end of the recording")
  func unknownTimes() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10, 0x20], time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, at: [0x10, 0x30])
      $0.add(2, 0x5000, count: 1, at: [0x10, 0x30])
      $0.add(3, 0x6000, at: [0x10, 0x20], time: 2010, arguments: [1, 0])
    }
    try builder.withFile { path in
      let history = try lifeline(["history", path, "Node#1"], in: "/").output
      #expect(history.contains("  0x2f    for a call     2   3     –  sure\n"), "\(history)")
      let objects = try lifeline(["objects", path], in: "/").output
      #expect(objects.contains("Node#1  32 B  live       10 ns  999 µs  "), "\(objects)")
      #expect(objects.contains("Node#2  32 B  live        1 µs  998 µs  "), "\(objects)")
    }
  }

  @Test("The history of an object used by two threads says which order the counts do not prove")
  func order() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addThread(2, name: "worker")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10, 0x20], time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, at: [0x10, 0x30], time: 1020)
      $0.add(2, 0x5000, count: 1, at: [0x10, 0x30], time: 1030)
    }
    builder.addEvents(stream: 2, thread: 2, clock: 1040) {
      $0.add(1, 0x5000, count: 2, at: [0x10, 0x40], time: 1040)
      $0.add(2, 0x5000, count: 1, at: [0x10, 0x40], time: 1050)
    }
    try builder.withFile { path in
      let text = try lifeline(["history", path, "Node#1"], in: "/").output
      #expect(
        text.contains(
          "The count proves the order of its events on 2 threads, except for 1 place where both orders fit:\n"))
      #expect(
        text.contains(
          "The count does not prove whether events 2 to 3 (main thread) or events 4 to 5 (thread 2 (worker)) came "
            + "first; the clocks say the former, by 10 ns.\n"
        ))
      #expect(
        try lifeline(["history", "--format", "json", path, "Node#1"], in: "/").output.contains(
          "The count does not prove whether"))
    }
  }

  @Test("The JSON report has the documented schema and is byte-identical each time")
  func json() throws {
    try sample().withFile { path in
      let first = try lifeline(["report", "--format", "json", path], in: "/")
      let second = try lifeline(
        ["report", "--format", "json", path], in: "/", environment: ["LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"])
      #expect(first.output == second.output)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
      #expect(document["schema"] as? String == "lifeline.report/1")
      #expect(document["verdict"] as? String == "clean")
      let classes = try #require(document["classes"] as? [[String: Any]])
      #expect(classes.first?["name"] as? String == "App.Node")
      #expect(classes.first?["liveAtExit"] as? Int == 2)
      let recording = try #require(document["recording"] as? [String: Any])
      #expect(recording["events"] as? [String: Int] == ["allocate": 2, "release": 1, "retain": 1])
    }
  }

  @Test("A report file follows the umask, is not overwritten without --force and never written through a link")
  func reportFile() throws {
    try sample().withFile { path in
      let folder = String(path.dropLast("/app.lifeline".count))
      for (mask, mode) in [("027", 0o640), ("077", 0o600), ("022", 0o644)] {
        let script = """
          umask \(mask); "$0" report -f -o \(mask).txt "$1" && "$0" export --format collapsed -o \(mask).txt.c "$1"
          """
        try #expect(CommandResult.run("sh", ["-c", script, BuiltPackage.lifeline, path], folder: folder).status == 0)
        for name in ["\(mask).txt", "\(mask).txt.c"] {
          let made = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
          #expect(made == mode, "\(name)")
        }
      }
      try #expect(lifeline(["report", "-o", "r.txt", path], in: folder).status == 0)
      try #expect(
        lifeline(["report", "-o", "r.txt", path], in: folder)
          == CommandResult(
            output: "", errors: "lifeline: The file r.txt already exists; use --force to replace it.\n", status: 2))
      try #expect(lifeline(["report", "-f", "-o", "r.txt", path], in: folder).status == 0)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "r.txt")
      try #expect(
        lifeline(["report", "-f", "-o", "link", path], in: folder)
          == CommandResult(
            output: "", errors: "lifeline: link is a symbolic link; name another file.\n", status: 2))
    }
  }

  @Test("A hostile class name cannot control the terminal")
  func hostileNames() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.\u{1B}[31mRed\u{202E}\n::error::x")
    builder.addEvents { $0.add(3, 0x5000, time: 1010, arguments: [1, 0]) }
    try builder.withFile { path in
      let result = try lifeline(["report", path], in: "/")
      #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{202E}"))
      #expect(!result.output.contains("\n::error"))
    }
  }

  @Test("The intact part of a damaged trace is reported, with no verdict")
  func damaged() throws {
    var builder = sample()
    builder.addEvents(clock: 1200) { $0.add(3, 0x7000, time: 1300, arguments: [1, 0]) }
    try builder.withFile({ $0[4096 + 2 * TraceBuilder.chunkSize + 66] ^= 4 }) { path in
      let result = try lifeline(["check", path], in: "/")
      #expect(result.status == 3)
      #expect(
        result.output.contains(
          "Verdict: no verdict: The trace is damaged or truncated, so a part is missing."))
      #expect(
        result.output.contains("Chunk 1 of stream 1 is damaged (its checksum is wrong); its events were left out."))
      #expect(result.output.contains("4 events of 2 objects"))
      let history = try lifeline(["history", path, "Node#2"], in: "/")
      #expect(history.output.contains("\nVerdict: unknown\n"), "its end may be in the other chunk: \(history.output)")
    }
    try sample().withFile { path in
      try #expect(lifeline(["history", path, "Node#2"], in: "/").output.contains("\nVerdict: never\n"))
    }
  }
}
