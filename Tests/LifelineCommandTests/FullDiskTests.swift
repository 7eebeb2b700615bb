import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// Recordings on a file system that fills up: the program continues, the trace opens, and one sentence reports what
/// happened.
@Suite(.startsPrograms, .needsSmallDisk, .timeLimit(.minutes(60))) struct FullDiskTests {
  /// Objects that two threads create and lose; on request, a file that fills the disk.
  private static let source = """
    import Dispatch
    import Glibc
    final class Node { var value = 1 }
    final class Pair { var other: Pair? }
    @inline(never) func lose() { let one = Pair(), two = Pair(); one.other = two; two.other = one }
    @inline(never) func churn(_ count: Int) -> Int {
      var last = Node()
      for number in 0..<count { last = Node(); last.value = number }
      return last.value
    }
    func fill(_ path: String) {
      let file = open(path, O_WRONLY | O_CREAT, 0o600), bytes = [UInt8](repeating: 1, count: 4096)
      while write(file, bytes, bytes.count) > 0 {}
      close(file)
    }
    let count = Int(CommandLine.arguments[1])!
    lose()
    if CommandLine.arguments.count > 2 { fill(CommandLine.arguments[2]) }
    nonisolated(unsafe) var sums = [0, 0]
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let sum = churn(count)
      sums.withUnsafeMutableBufferPointer { $0[index] = sum }
    }
    print(sums)
    """

  private static let noRoom = "no space was left on the disk for the trace"
  private static let lifeline = "'\(BuiltPackage.lifeline)'"

  /// The path of the program, quoted for a shell.
  private func program() throws -> String { "'\(try TestProgram(Self.source, options: Self.options).path)'" }

  private static let options = ["-Onone", "-module-name", "App"]

  private func report(_ folder: String) throws -> Report {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/report"))
    return try JSONDecoder().decode(Report.self, from: data)
  }

  /// What `record` prints to standard error, without its summary.
  private func sentences(_ result: CommandResult) -> [Substring] {
    result.errors.split(separator: "\n").filter { !$0.contains("; next: lifeline report ") }
  }

  @Test("A recording stops when the disk is full, once, and reports it", arguments: ["", "--depth lives", "--zombies"])
  func record(_ options: String) throws {
    let program = try program()
    try withTemporaryFolder { folder in
      let result = try SmallDisk(size: "3m").run(
        """
        \(Self.lifeline) record \(options) -o small/trace -- \(program) 400000
        status=$?
        \(Self.lifeline) report --format json small/trace > report
        exit $status
        """, in: folder)
      #expect(result.output == "[399999, 399999]\n" && result.status == 0)
      let said = sentences(result)
      #expect(said.count == 1 && said[0].hasPrefix("lifeline: recording of process "), "\(result.errors)")
      #expect(said[0].hasSuffix(" stopped: \(Self.noRoom)"))
      let report = try report(folder)
      #expect(report.noVerdictReason == "The recording stopped early: \(Self.noRoom).")
      let node = try #require(report.classes.first { $0.name == "App.Node" })
      #expect(node.allocated > 100_000 && node.allocated < 800_000)
      #expect(report.recording.lostEvents > 100_000)
    }
  }

  @Test("A flight recorder keeps what fits on the disk and knows the live objects to the end")
  func keep() throws {
    let program = try program()
    try withTemporaryFolder { folder in
      let result = try SmallDisk(size: "3m").run(
        """
        \(Self.lifeline) record --keep 64MiB -o small/trace -- \(program) 400000
        status=$?
        \(Self.lifeline) report --format json small/trace > report
        exit $status
        """, in: folder)
      #expect(result.output == "[399999, 399999]\n" && result.status == 0)
      let sentence = "No space was left on the disk for the trace: it keeps less than --keep."
      #expect(sentences(result) == ["lifeline: \(sentence)"])
      let report = try report(folder)
      #expect(report.findings.map(\.kind) == ["leak"] && report.recording.lostEvents == 0)
      let node = try #require(report.classes.first { $0.name == "App.Node" })
      #expect(node.allocated == 800_002 && node.liveAtExit == 0)
    }
  }

  @Test("If the base line cannot grow, the program continues and the trace can be opened")
  func baseLine() throws {
    let source = """
      final class Node { var value = 1 }
      var all: [Node] = []
      for number in 0..<200_000 { let node = Node(); node.value = number; all.append(node) }
      print(all.count, all[199_999].value)
      """
    let program = try TestProgram(source, options: ["-Onone", "-module-name", "App"]).path
    try withTemporaryFolder { folder in
      let result = try SmallDisk(size: "2m").run(
        """
        \(Self.lifeline) record --keep 64MiB -o small/trace -- '\(program)'
        status=$?
        \(Self.lifeline) report --format json small/trace > report
        exit $status
        """, in: folder)
      #expect(result.output == "200000 199999\n" && result.status == 0)
      let sentence = "No space was left on the disk for the trace: it keeps less than --keep."
      #expect(sentences(result) == ["lifeline: \(sentence)"])
      let node = try #require(try report(folder).classes.first { $0.name == "App.Node" })
      #expect(node.allocated > 1000 && node.allocated <= 200_000)
    }
  }

  @Test(
    "A disk that the program itself fills harms neither the program nor the recording", arguments: ["", "--keep 2MiB"])
  func filledByTheProgram(_ options: String) throws {
    let program = try program()
    try withTemporaryFolder { folder in
      let result = try SmallDisk(size: "3m").run(
        """
        \(Self.lifeline) record \(options) -o small/trace -- \(program) 100000 small/file
        status=$?
        \(Self.lifeline) report --format json small/trace > report
        exit $status
        """, in: folder)
      #expect(result.output == "[99999, 99999]\n" && result.status == 0)
      let said = sentences(result)
      // With --keep, the recording also stops if both threads happen to need a chunk before either has finished one.
      #expect(1...2 ~= said.count && said.allSatisfy { $0.lowercased().contains(Self.noRoom) }, "\(said)")
      let pair = try #require(try report(folder).classes.first { $0.name == "App.Pair" })
      #expect(pair.allocated == 2 && pair.liveAtExit == 2)
    }
  }

  @Test("If there is no space at the start, the program runs, and the trace says why it is empty")
  func noRoomToBegin() throws {
    let program = try program()
    try withTemporaryFolder { folder in
      let cases = [("0", "", false), ("64k", "", true), ("300k", "", true), ("300k", "--keep 2MiB", false)]
      for (room, options, isBegun) in cases {
        let result = try SmallDisk(size: "1m").run(
          """
          head -c $((1048576 - $(echo \(room) | sed 's/k/*1024/'))) /dev/zero > small/file 2> /dev/null
          \(Self.lifeline) record \(options) -o small/trace -- \(program) 10
          status=$?
          rm -f report
          [ -e small/trace ] && \(Self.lifeline) report --format json small/trace > report
          exit $status
          """, in: folder)
        #expect(result.output == "[9, 9]\n" && result.status == 0, "\(room) \(options)")
        #expect(FileManager.default.fileExists(atPath: "\(folder)/report") == isBegun, "\(room) \(options)")
        guard isBegun else {
          #expect(result.errors.contains("; nothing is recorded\n"), "\(result.errors)")
          continue
        }
        #expect(sentences(result).count == 1 && sentences(result)[0].hasSuffix(" stopped: \(Self.noRoom)"))
        try #expect(report(folder).noVerdictReason == "The recording stopped early: \(Self.noRoom).")
      }
    }
  }

  @Test("check gives no verdict on a full disk, but keeps a finding whose second run had no space")
  func check() throws {
    let program = try TestProgram(Self.source, options: Self.options).path
    try withTemporaryFolder { folder in
      // The traces are in TMPDIR unless a name is given. Whatever else is in /tmp is bound elsewhere first, which may
      // include this checkout.
      let result = try SmallDisk(size: "2m").run(
        """
        mkdir tools && mount --bind "$(dirname \(Self.lifeline))" tools
        mount --rbind . /mnt && mount --bind small /tmp && cd /mnt || exit 98
        export TMPDIR=/tmp
        for count in 400000 50000; do
          tools/lifeline check --format json --report report.$count -- ./program $count > /dev/null 2> errors.$count
          echo $?
        done
        """, in: try prepared(folder, program))
      #expect(result.output == "3\n1\n")
      let stopped = try decoded("\(folder)/report.400000"), kept = try decoded("\(folder)/report.50000")
      #expect(stopped.noVerdictReason == "The recording stopped early: \(Self.noRoom)." && stopped.findings.isEmpty)
      #expect(kept.findings.map(\.kind) == ["leak"])
      let errors = try String(contentsOfFile: "\(folder)/errors.50000", encoding: .utf8)
      #expect(errors.contains("the second run: it did not show the same: no leak of Pair#"), "\(errors)")
    }
  }

  private func decoded(_ path: String) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Copies the program into the folder, because the small disk hides everything else in /tmp.
  private func prepared(_ folder: String, _ program: String) throws -> String {
    try FileManager.default.copyItem(atPath: program, toPath: "\(folder)/program")
    return folder
  }
}
