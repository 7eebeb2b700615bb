import LifelineTestSupport
import Testing

/// The heap has objects of all classes, but a recording of selected classes reports on those only.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ChosenClassTests {
  private static let source = """
    final class Room { var own: Room?; var lamp: Lamp? }
    final class Lamp { var own: Lamp? }
    @inline(never) func lose() {
      let room = Room()
      room.own = room
      room.lamp = Lamp()
      let lamp = Lamp()
      lamp.own = lamp
    }
    lose()
    """

  @Test("A leak without objects of the selected classes is counted but is not a finding")
  func only() throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let all = try lifeline(["check", "--", program.path], in: folder)
      #expect(all.status == 1 && all.output.contains("Verdict: 2 findings\n"), "\(all)")
      for choice in [["--only", "Room"], ["--ignore", "Lamp"]] {
        let some = try lifeline(["check"] + choice + ["--", program.path], in: folder)
        #expect(some.status == 1 && some.output.contains("Verdict: 1 finding\n"), "\(some)")
        #expect(some.output.contains("A retain cycle keeps Room#1 alive"))
        let sentence = "1 leak of other classes is not listed, because --only or --ignore excludes them."
        #expect(some.output.contains(sentence))
        let leaks = try lifeline(["leaks"] + choice + ["--", program.path], in: folder)
        #expect(leaks.status == 1 && leaks.output.hasPrefix("1 leak: 2 objects, "), "\(leaks)")
        #expect(leaks.errors.contains(sentence))
      }
      // The lamp that the room keeps is why the room is reported.
      let lamps = try lifeline(["check", "--only", "Lamp", "--", program.path], in: folder)
      #expect(lamps.status == 1 && lamps.output.contains("Verdict: 2 findings\n"), "\(lamps)")
    }
  }

  @Test("A pattern that matches no class gives no verdict, whatever else leaked")
  func nothing() throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let check = try lifeline(["check", "--only", "Romo", "--", program.path], in: folder)
      #expect(check.status == 3, "\(check)")
      #expect(check.output.contains("Verdict: no verdict: No object of the chosen classes was seen;"))
      #expect(check.errors.contains("--only 'Romo' matched no recorded class."))
      let leaks = try lifeline(["leaks", "--only", "Romo", "--", program.path], in: folder)
      #expect(leaks.status == 3 && leaks.output == "", "\(leaks)")
      #expect(leaks.errors == "lifeline: No object of the chosen classes was seen; check --only and --ignore.\n")
    }
  }

  @Test("The findings that `history` counts are those of the report, including leaks")
  func leakOfHistory() throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let check = try lifeline(["check", "-o", "trace", "--", program.path], in: folder)
      #expect(check.status == 1)
      let first = try lifeline(["history", "trace", "--finding", "1"], in: folder)
      #expect(first.status == 0 && first.output.contains("Room#1 at event "), "\(first)")
      let third = try lifeline(["history", "trace", "--finding", "3"], in: folder)
      #expect(third.errors == "lifeline: There is no finding 3; the report has 2.\n" && third.status == 2)
    }
  }

  @Test("A static property is called a static variable")
  func staticVariable() throws {
    let program = try TestProgram(
      "final class Node { nonisolated(unsafe) static var shared = Node() }\nlet top = Node()\n_ = Node.shared\n",
      options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["check", "-q", "-o", "trace", "--", program.path], in: folder).status == 0)
      let words = try (1...2).map { try lifeline(["why", "trace", "Node#\($0)"], in: folder).output }.joined()
      #expect(words.contains("  static variable Node.shared of ") && words.contains("  global variable top of "))
    }
  }
}
