import Foundation
import LifelineTestSupport
import Testing

/// A program gets the same from lifeline as from the user's shell.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct TransparencyTests {
  /// Runs a shell script that has the command line in $lifeline.
  private func shell(_ script: String, environment: [String: String] = [:]) throws -> CommandResult {
    try withTemporaryFolder { folder in
      try CommandResult.run(
        "/bin/sh", ["-c", script], environment: ["lifeline": BuiltPackage.lifeline].merging(environment) { $1 },
        folder: folder)
    }
  }

  @Test("Arguments and variables reach the program byte for byte, whether UTF-8 or not")
  func bytes() throws {
    let result = try shell(
      """
      V=$(printf 'x\\377y') && export V
      "$lifeline" record sh -c 'printf %s "$1$V" | od -An -tx1' sh "$(printf 'a\\377b')" 2> errors
      """)
    #expect(result.output == " 61 ff 62 78 ff 79\n")
  }

  /// A small version of Scripts/prove-transparency.
  @Test("Descriptors, signals, limits, mappings, call results and errno are those of the unrecorded program")
  func imprint() throws {
    let script = BuiltPackage.root.appendingPathComponent("Scripts/prove-transparency").path
    let result = try CommandResult.run(
      script,
      [
        "--groups", "own", "--only", "Imprint (errors|signals)", "--modes", "recorded,guards", "--products",
        BuiltPackage.buildFolder.path,
      ])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("| own: 2 | 2, 2 recorded, 0 differ | 2, 2 recorded, 0 differ |"), "\(result)")
  }

  @Test("The environment keeps its order and gains two variables")
  func environment() throws {
    let result = try shell(
      """
      list() { "$@" 2> errors | grep -v -e ^_= -e ^LD_PRELOAD= -e ^LIFELINE_OPTIONS=; }
      list env > plain
      list "$lifeline" record env > recorded
      grep -c ^PATH= plain
      diff plain recorded && echo equal
      "$lifeline" record env 2> errors | grep -c -e ^LD_PRELOAD= -e ^LIFELINE_OPTIONS=
      """)
    #expect(result.output == "1\nequal\n2\n")
  }

  @Test("A launcher that ignores SIGCHLD does not make lifeline wait forever")
  func ignoredChildSignal() throws {
    for _ in 0..<5 {
      let result = try shell("timeout -k 1 250 env --ignore-signal=CHLD \"$lifeline\" record sh -c 'exit 5'")
      #expect(result.status == 5)
    }
  }

  @Test("The program ignores the same signals as without lifeline, which ignores those of failed writes itself")
  func ignoredSignals() throws {
    let result = try shell(
      """
      for ignored in "" --ignore-signal=PIPE --ignore-signal=XFSZ; do
        env $ignored grep SigIgn /proc/self/status > plain
        env $ignored "$lifeline" record grep SigIgn /proc/self/status > recorded 2> errors
        grep -c SigIgn plain
        diff plain recorded && echo equal
      done
      """)
    #expect(result.output == "1\nequal\n1\nequal\n1\nequal\n")
  }

  @Test("SIGTERM to lifeline ends the program and completes its trace")
  func forwardedSignal() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Node {}
      let node = Node()
      print("ready")
      fflush(stdout)
      sleep(250)
      """)
    let result = try shell(
      """
      mkfifo pipe
      "$lifeline" record -q -o t.lifeline '\(program.path)' > pipe & pid=$!
      read ready < pipe
      kill $pid
      wait $pid
      echo status $?
      "$lifeline" report t.lifeline | head -1
      """)
    #expect(result.output.hasPrefix("status 143\nprogram (process "))
    #expect(result.output.contains(" was ended by SIGTERM after "))
  }

  @Test("LIFELINE_OPTIONS applies where the command line is silent, unless another lifeline set it")
  func inheritedOptions() throws {
    let program = try TestProgram(RecordTests.source)
    let result = try shell(
      """
      LIFELINE_OPTIONS='output=there.lifeline' "$lifeline" record '\(program.path)' 2> errors
      LIFELINE_OPTIONS='output=there.lifeline' "$lifeline" record '\(program.path)' 2>&1 | sed "s,$PWD,here,"
      LIFELINE_OPTIONS='output=there.lifeline' "$lifeline" record -o other.lifeline '\(program.path)' 2> errors
      LIFELINE_OPTIONS='output=there.lifeline:session=5' "$lifeline" record -q '\(program.path)'
      ls | sed 's/[0-9][0-9]*/PID/'
      """)
    #expect(
      result.output == """
        10\u{20}
        lifeline: The file here/there.lifeline already exists; use --force to replace it.
        10\u{20}
        10\u{20}
        errors
        other.lifeline
        program.PID.lifeline
        there.lifeline

        """)
  }

  @Test("A probe whose path has a space, a colon and a non-ASCII letter is preloaded through a link")
  func spacedProbe() throws {
    let program = try TestProgram(RecordTests.source)
    let result = try shell(
      """
      export TMPDIR="$PWD"
      mkdir 'ä b:c' && cp "$probe" 'ä b:c/probe.so'
      for run in 1 2; do
        LIFELINE_PROBE="$PWD/ä b:c/probe.so" "$lifeline" record -q -f -o t.lifeline '\(program.path)'
      done
      "$lifeline" report t.lifeline | sed -n 2p
      """, environment: ["probe": BuiltPackage.probe])
    #expect(result.errors == "" && result.output.hasPrefix("10 \n10 \n"), "\(result)")
    #expect(result.output.contains(" events of 10 objects"), "\(result)")
  }

  @Test("Options that cannot reach the probe are rejected before the start")
  func refusals() throws {
    let patterns = (0..<30).map { _ in "--only " + String(repeating: "x", count: 600) }.joined(separator: " ")
    let long = try shell("\"$lifeline\" record \(patterns) sh -c 'echo started'")
    #expect(long.status == 2 && long.output == "")
    #expect(long.errors.hasSuffix(" bytes, but at most 16383 reach the probe; give fewer or shorter class patterns.\n"))
    let folder = try shell("\"$lifeline\" record -o '%e/t' sh -c 'echo started' 2>&1 | sed \"s,$PWD,here,\"")
    #expect(
      folder.output == "lifeline: The folder of the output here/%e/t contains %p or %e; only the file name can.\n")
  }
}
