import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

/// Side effects of recording that a program could notice: files, descriptors, signals, limits.
@Suite(.startsPrograms) struct BesideTests {
  /// Runs a program under the probe from a shell script, with the folder as its working directory.
  private func run(_ script: String, _ program: TestProgram, options: String, in folder: String) throws -> CommandResult
  {
    // PROBED has one word per line, because the path of the checkout may contain spaces.
    try CommandResult.run(
      "bash", ["-c", "IFS=$'\\n'\n" + script],
      environment: [
        "SWIFT_BACKTRACE": "enable=no", "PROGRAM": program.path,
        "PROBED": "env\nLD_PRELOAD=\(BuiltPackage.preloadableProbe)\nLIFELINE_OPTIONS=\(options)\n\(program.path)",
      ], folder: folder)
  }

  private static let one = """
    final class Node { var value = 1 }
    print(Node().value, CommandLine.arguments.count)
    """

  @Test("Only a trace is replaced; anything else with the output's name is left alone", .timeLimit(.minutes(60)))
  func force() throws {
    try withTemporaryFolder { folder in
      let program = try TestProgram(Self.one)
      let script = """
        echo precious > file; mkfifo pipe; ln -s file link; mkdir folder; ln "$PROGRAM" linked 2>/dev/null \
        || cp "$PROGRAM" linked
        mknod device c 1 3 2>/dev/null || true
        before=$(ls -li | md5sum)
        for name in file pipe link folder device; do [ -e $name ] && ${PROBED/OUTPUT/$name}; done
        env LD_PRELOAD=\(BuiltPackage.preloadableProbe) LIFELINE_OPTIONS=output=%e:force ./linked
        [ "$before" = "$(ls -li | md5sum)" ] && echo untouched
        ${PROBED/OUTPUT/trace} && ${PROBED/OUTPUT/trace} && ls -s trace > /dev/null && echo replaced
        """
      let result = try run(script, program, options: "output=OUTPUT:force", in: folder)
      #expect(
        result.output.components(separatedBy: "\n").filter { $0 == "untouched" || $0 == "replaced" } == [
          "untouched", "replaced",
        ])
      #expect(
        result.errors.contains("lifeline: file exists and is not a trace; nothing is recorded (use another --output)"))
      #expect(
        result.errors.contains("lifeline: linked exists and is not a trace; nothing is recorded (use another --output)")
      )
      #expect(try Trace(path: "\(folder)/trace").problems == [])
    }
  }

  @Test(
    "A low file size limit stops the recording but not the program, and is reported once",
    .timeLimit(.minutes(60)), arguments: [0, 2, 4, 300])
  func fileSizeLimit(_ limit: Int) throws {
    try withTemporaryFolder { folder in
      let result = try run(
        """
        # Both outputs go through pipes, which the limit does not affect, and the shell waits for their readers.
        { (ulimit -f \(limit); $PROBED) 2>&1 >&3 3>&- | cat >&2 3>&-; exit ${PIPESTATUS[0]}; } 3>&1 | cat
        exit ${PIPESTATUS[0]}
        """, try TestProgram(Self.one), options: "output=trace", in: folder)
      #expect(result.output == "1 1\n" && result.status == 0)
      #expect(result.errors.components(separatedBy: "ulimit -f").count == 2, "\(result.errors)")
    }
  }

  @Test("With a limit on the program's address space there are no zombies, which might need the rest of it")
  func addressSpace() throws {
    try withTemporaryFolder { folder in
      let program = try TestProgram(Self.one)
      for (limit, hasZombies) in [("400000", false), ("unlimited", true)] {
        let result = try run(
          "ulimit -v \(limit); $PROBED", program, options: "output=\(limit):zombies=1", in: folder)
        #expect(result == CommandResult(output: "1 1\n", errors: "", status: 0))
        let trace = try Trace(path: "\(folder)/\(limit)")
        #expect(trace.recording.hasZombies == hasZombies)
        #expect(trace.tables.notices.contains { $0.contains("(ulimit -v)") } == !hasZombies)
      }
    }
  }

  @Test(
    "The program's first file descriptor has the same number as without the probe", .timeLimit(.minutes(60)),
    arguments: [4096, 256, 16, 8])
  func descriptors(_ limit: Int) throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      print(Node().value, open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY))
      """
    try withTemporaryFolder { folder in
      // The parent process may have left descriptors open, and other tests may open some at any time.
      let closed = """
        for fd in /proc/self/fd/*; do fd=${fd##*/}; [ $fd -le 2 ] || eval "exec $fd>&-"; done; ulimit -n \(limit)
        """
      let result = try run("\(closed); $PROBED", try TestProgram(source), options: "output=trace", in: folder)
      let plain = try run("\(closed); $PROGRAM", try TestProgram(source), options: "", in: folder)
      #expect(result == plain && plain.output.hasPrefix("1 ") && plain.status == 0)
      #expect(try Trace(path: "\(folder)/trace").problems == [])
    }
  }

  @Test("A notice raises no signal and is not written to the program's files", .timeLimit(.minutes(60)))
  func notices() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      var limit = rlimit(rlim_cur: 1 << 19, rlim_max: 1 << 19)
      setrlimit(__rlimit_resource_t(1), &limit)
      if CommandLine.arguments[1] == "pipe" {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        dup2(ends[1], 2)
        close(ends[0])
        close(ends[1])
      } else {
        close(2)
        print(open("data", O_CREAT | O_WRONLY, 0o600))
      }
      nonisolated(unsafe) var last = Node()
      for index in 0..<300_000 { let node = Node(); node.value = index; last = node }
      print(last.value)
      """
    try withTemporaryFolder { folder in
      let program = try TestProgram(source)
      let pipe = try run("$PROBED pipe", program, options: "output=trace1", in: folder)
      #expect(pipe == CommandResult(output: "299999\n", errors: "", status: 0))
      let file = try run("$PROBED file; wc -c < data", program, options: "output=trace2", in: folder)
      #expect(file == CommandResult(output: "2\n299999\n0\n", errors: "", status: 0))
      for trace in ["trace1", "trace2"] {
        #expect(try Trace(path: "\(folder)/\(trace)").recording.stopSentence?.contains("ulimit -f") == true)
      }
    }
  }

  @Test("The trace has the program's name even if its list of arguments is very long", .timeLimit(.minutes(60)))
  func longArguments() throws {
    let run = try RecordedRun(try TestProgram(Self.one), Array(repeating: "", count: 60_000))
    #expect(run.behavesTheSame && run.plain.output == "1 60001\n")
    #expect(run.trace.tables.programPath.hasSuffix("/program"))
    #expect(run.trace.problems == [])
  }

  @Test(
    "The reason is reported when the kernel forbids patching code or a breakpoint is at an entry point",
    .timeLimit(.minutes(60)))
  func refusedDetours() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      print(Node().value)
      fflush(stdout)
      if CommandLine.arguments.count == 1 {
        // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: Linux 6.3 and later.
        let set = unsafeBitCast(dlsym(nil, "prctl"), \
      to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)(65, 1, 0, 0, 0)
        print(set == 0 ? "forbidden" : "unknown")
        fflush(stdout)
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(CommandLine.arguments[0]), strdup("again"), nil]
        execv(words[0]!, &words)
      }
      if CommandLine.arguments[1] == "breakpoint" {
        let entry = dlsym(nil, "swift_retain")!.assumingMemoryBound(to: UInt8.self)
        let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: entry) & ~4095)!
        let library = dlopen(CommandLine.arguments[2], RTLD_NOW)!
        let start = unsafeBitCast(dlsym(library, "lifeline_start"), \
      to: (@convention(c) (UnsafePointer<CChar>) -> UnsafePointer<CChar>?).self)
        let options = strdup("output=breakpoint")!
        mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)
        let byte = entry.pointee
        entry.pointee = 0xCC
        let problem = start(options)
        let there = entry.pointee
        mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)  // other functions of the page have detours
        entry.pointee = byte
        print(there, problem.map { String(cString: $0) } ?? "recording")
      }
      """
    let program = try TestProgram(source, options: ["-O"])
    try withTemporaryFolder { folder in
      let forbidden = try run("$PROBED", program, options: "output=%p.trace:session=1", in: folder)
      #expect(forbidden.status == 0)
      if forbidden.output == "1\nforbidden\n1\n" {
        #expect(forbidden.errors.hasSuffix(" stopped: the kernel refused to make the runtime's code writable\n"))
      } else {
        #expect(forbidden.output == "1\nunknown\n1\n" && forbidden.errors == "")
      }
      let breakpoint = try run("\"$PROGRAM\" breakpoint '\(BuiltPackage.probe)'", program, options: "", in: folder)
      #expect(
        breakpoint.output == """
          1
          204 A debugger's breakpoint stands at an entry point of the Swift runtime; \
          set it when the program has started.

          """)
      #expect(
        breakpoint.errors.hasSuffix(" stopped: a debugger's breakpoint stood at an entry point of the Swift runtime\n"))
      #expect(breakpoint.status == 0)
    }
  }

  @Test("The probe causes no AddressSanitizer report", .timeLimit(.minutes(60)))
  func sanitizer() throws {
    let source = """
      final class Node { var next: Node?; var bytes = [UInt8](repeating: 1, count: 40) }
      var kept: [Node] = []
      for index in 0..<2000 { let node = Node(); node.next = kept.last; if index % 10 == 0 { kept.append(node) } }
      print(kept.map { $0.bytes.count }.reduce(0, +))
      """
    let run = try RecordedRun(
      try TestProgram(source, options: ["-O", "-sanitize=address"]), options: "zombies:guard=*")
    #expect(run.plain == CommandResult(output: "8000\n", errors: "", status: 0))
    #expect(run.traced == run.plain)
    #expect(!run.trace.recording.hasZombies && !run.trace.recording.hasGuards)
    #expect(run.totals("Node")?.allocated == 2000)
  }
}
