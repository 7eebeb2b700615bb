import Foundation
import Glibc
import LifelineTestSupport
import LifelineTrace
import Testing

@testable import LifelineRecording

@Suite("Repetition", .startsPrograms, .timeLimit(.minutes(60))) struct RepetitionTests {
  private func run(_ script: String, _ repetition: Repetition) throws -> ChildProcess.Outcome {
    // The tests' own process may block the signal, and the program would inherit that.
    var ends = sigset_t()
    var mask = sigset_t()
    sigemptyset(&ends)
    sigaddset(&ends, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &ends, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    return try ChildProcess(
      path: "/bin/sh", arguments: ProgramArguments(["sh", "-c", script]), environment: ChildEnvironment(),
      repetition: repetition
    ).run(serving: nil) { _ in }
  }

  @Test("A run over the limit is told to end with all its processes, and killed if it ignores that")
  func limit() throws {
    let waits = try run("sleep 600 & wait", Repetition(limit: 0.1, patience: 600, pause: 600))
    #expect(waits.end == .signal(15) && waits.interruption == .limit)
    let deaf = try run("trap '' TERM; while :; do sleep 600; done", Repetition(limit: 0.1, patience: 600, pause: 600))
    #expect(deaf.end == .signal(9) && deaf.interruption == .limit)
  }

  @Test("Processes in other groups that a run started are told to end too, and killed if they ignore that")
  func otherGroups() throws {
    // With job control, a shell starts each job in its own group, as `swift test` does with the tests.
    for job in ["sleep 600", "trap '' TERM; while :; do sleep 600; done"] {
      try withTemporaryFolder { folder in
        let script = "set -m; (\(job)) & echo $! > '\(folder)/number'; wait"
        let run = try run(script, Repetition(limit: 1, patience: 600, pause: 600))
        #expect(run.end == .signal(15) && run.interruption == .limit)
        let number = try #require(pid_t(try String(contentsOfFile: folder + "/number", encoding: .utf8).dropLast()))
        // The kernel takes its time, and so does the process that reaps an orphan; the suite has a time limit.
        while ProcessTree.Process(number)?.isAlive == true { usleep(10_000) }
      }
    }
  }

  @Test("A run that waits is told to end, and one that computes is not")
  func waiting() throws {
    let waits = try run("sleep 600", Repetition(limit: 600, patience: 0, pause: 0.5))
    #expect(waits.end == .signal(15) && waits.interruption == .limit)
    // The working process is started by the shell, and works for longer than the pause.
    let work = "sh -c 'end=$(($(date +%s) + 5)); while [ $(date +%s) -lt $end ]; do :; done; exit 5'; exit $?"
    let works = try run(work, Repetition(limit: 600, patience: 0, pause: 2))
    #expect(works.end == .exit(5) && works.interruption == nil)
  }

  @Test("A run that ends by itself is not interrupted; one ended by a signal from outside counts as told")
  func inTime() throws {
    let repetition = try run("exit 3", Repetition(limit: 600, patience: 0, pause: 300))
    #expect(repetition.end == .exit(3) && repetition.interruption == nil)
    let told = try run("kill -TERM $$", Repetition(limit: 600, patience: 0, pause: 300))
    #expect(told.end == .signal(15) && told.interruption == .told)
  }
}
