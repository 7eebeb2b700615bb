import Foundation
import Glibc
import LifelineTestSupport
import Testing

/// `lifeline live` on a terminal.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct LiveTerminalTests {
  @Test("Keys sort, filter, mark, open and quit, and the screen follows the terminal's size")
  func keys() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      let terminal = try TestTerminal(width: 80, height: 24)
      let live = try terminal.start(BuiltPackage.lifeline, ["live", program.trace], limit: .seconds(1200))
      let first = try terminal.wait {
        $0.contains { $0.hasPrefix("> Steps.Kept ") } && $0[23].hasPrefix("q quit")
      }
      #expect(first[0].hasPrefix("lifeline live  program (\(try program.identifier))"))
      #expect(first[1].hasPrefix("live 10, "))
      #expect(first.contains { $0.hasPrefix("  Steps.Passing日本  ") }, "names may be in any script")
      #expect(first[23].hasPrefix("q quit  s sort (live)"))

      terminal.press("m")
      _ = try terminal.wait { $0[1].contains("(+0 since mark 1)") }
      program.goOn(1)
      _ = try terminal.wait { $0[1].hasPrefix("live 20 (+10 since mark 1)") }
      terminal.press("s")
      _ = try terminal.wait { $0[23].contains("sort (growth)") }

      terminal.press("/pass")
      _ = try terminal.wait { $0[23].hasPrefix("/pass_") && $0.contains { $0.hasPrefix("> Steps.Passing日本") } }
      terminal.press("\u{1B}")
      _ = try terminal.wait { $0.contains { $0.hasPrefix("> Steps.Kept") } }

      terminal.press("\r")
      _ = try terminal.wait {
        $0[4] == "Steps.Kept" && $0[5].hasPrefix("live 20 (+10 since mark 1)")
          && $0.contains { $0.hasPrefix("  20  ") && $0.hasSuffix("main.swift:9") }
      }
      terminal.press("\r")
      _ = try terminal.wait {
        $0.contains { $0.hasPrefix("Kept#1  Steps.Kept  0x") }
          && $0.contains("        Kept.__allocating_init()  main.swift:2")
      }

      terminal.resize(width: 120, height: 40)
      _ = try terminal.wait {
        $0[39].hasPrefix("q quit  Esc back")
          && $0.contains { $0.contains("allocate      +1      1") && $0.hasSuffix("main.swift:2") }
      }
      terminal.press("\u{1B}")
      _ = try terminal.wait { $0.contains { $0.hasPrefix("oldest objects") } }
      terminal.press("\u{1B}")
      _ = try terminal.wait {
        $0.contains { $0.hasPrefix("> Steps.Kept") } && $0.contains { $0.hasSuffix("retain/s") && $0.count == 120 }
      }

      kill(try program.identifier, SIGKILL)
      _ = try terminal.wait { $0[3] == "The process was ended by SIGKILL." && $0[0].hasSuffix("ended") }
      terminal.press("q")
      try #expect(live.wait() == 0)
      #expect(terminal.problems == [])
    }
  }

  @Test("A trace truncated while shown stays on the screen with an error until the user has read it")
  func truncated() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      let copy = "\(program.folder)/copy.lifeline"
      try FileManager.default.copyItem(atPath: program.trace, toPath: copy)
      let terminal = try TestTerminal()
      let live = try terminal.start(BuiltPackage.lifeline, ["live", copy], limit: .seconds(1200))
      _ = try terminal.wait { $0.contains { $0.hasPrefix("> Steps.Kept") } }
      truncate(copy, 5000)
      let last = try terminal.wait { $0[3].hasPrefix("The trace ") }
      #expect(last.contains { $0.hasPrefix("> Steps.Kept") }, "\(last)")
      terminal.press("q")
      try #expect(live.wait() == 2)
    }
  }

  @Test("A program started by live ends with it")
  func program() throws {
    try withTemporaryFolder { folder in
      let terminal = try TestTerminal()
      let live = try terminal.start(
        // In /tmp the path that is printed fits into the terminal's line.
        "/usr/bin/env",
        [
          "TMPDIR=/tmp", BuiltPackage.lifeline, "live", "-o", "\(folder)/app.lifeline", "--",
          SteppedProgram.program().path, folder,
        ],
        folder: folder, limit: .seconds(1200))
      // The program may have allocated what is shown before it printed anything.
      _ = try terminal.wait { lines in
        lines.contains { $0.hasPrefix("> Steps.Kept") } && FileManager.default.fileExists(atPath: "\(folder)/done1")
      }
      terminal.press("q")
      let last = try terminal.wait {
        $0.contains { $0.hasPrefix("lifeline: the program's output is in /tmp/") }
          && $0.contains { $0.hasPrefix("lifeline: the trace is ") }
      }
      let told = try #require(last.first { $0.hasPrefix("lifeline: the program's output is in /tmp/") })
      let output = try #require(told.split(separator: " ").last)
      #expect(output.hasSuffix("/output"))
      #expect(FileManager.default.contents(atPath: String(output)) == Data("step 1\n".utf8))
      try FileManager.default.removeItem(atPath: String(output.dropLast("/output".count)))
      try #expect(live.wait() == 0)
    }
  }

  @Test("On an unknown terminal, live prints lines")
  func unknownTerminal() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      let terminal = try TestTerminal()
      let live = try terminal.start(
        "/usr/bin/env", ["TERM=nothing", BuiltPackage.lifeline, "live", program.trace], limit: .seconds(1200))
      _ = try terminal.wait { $0.contains { $0.contains("live 10 (+10)") } }
      kill(try program.identifier, SIGKILL)
      try #expect(live.wait() == 0)
    }
  }
}
