import Glibc
import LifelineTestSupport
import LifelineTrace
import Testing

@testable import LifelineRecording

@Suite("A repetition", .startsPrograms, .timeLimit(.minutes(5))) struct RepetitionTests {
  private func run(_ script: String, limit: Double) throws -> (
    end: Recording.End, interruption: Recorder.Interruption?
  ) {
    // The tests' own process may block the signal, and the program would inherit that.
    var ends = sigset_t()
    var mask = sigset_t()
    sigemptyset(&ends)
    sigaddset(&ends, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &ends, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    return try ChildProcess(
      path: "/bin/sh", arguments: ProgramArguments(["sh", "-c", script]), environment: ChildEnvironment(),
      repetitionLimit: limit
    ).run(serving: nil) { _ in }
  }

  @Test("One that does not end by itself is told to, with all that it started, and ended when it does not listen")
  func limit() throws {
    let waits = try run("sleep 600 & wait", limit: 0.1)
    #expect(waits.end == .signal(15) && waits.interruption == .limit)
    let deaf = try run("trap '' TERM; while :; do sleep 600; done", limit: 0.1)
    #expect(deaf.end == .signal(9) && deaf.interruption == .limit)
  }

  @Test("One that ends by itself is not interrupted; one that somebody ended was told to")
  func inTime() throws {
    let repetition = try run("exit 3", limit: 120)
    #expect(repetition.end == .exit(3) && repetition.interruption == nil)
    let told = try run("kill -TERM $$", limit: 120)
    #expect(told.end == .signal(15) && told.interruption == .told)
  }
}
