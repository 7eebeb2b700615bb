import Glibc
import LifelineTestSupport
import Testing

@testable import LifelineHeap

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct RunningThreadsTests {
  private func wait(_ shell: String, leavingOutItsThread: Bool = false, limit: Int) throws -> Bool {
    let process = try TestProcess("sh", ["-c", shell], limit: .seconds(60))
    let number = Int(process.identifier)
    let isResting = RunningThreads.waitUntilAsleep(
      of: number, but: leavingOutItsThread ? number : 0, limit: limit)
    process.send(SIGKILL)
    _ = try process.wait()
    return isResting
  }

  private static let loop = "while :; do :; done"

  @Test("A process whose only thread waits is at rest")
  func resting() throws { #expect(try wait("exec sleep 100", limit: 30_000)) }

  @Test("A process whose thread computes is not at rest, and the wait ends at its limit")
  func busy() throws { #expect(try !wait(Self.loop, limit: 20)) }

  @Test("An excluded thread may run")
  func leftOut() throws { #expect(try wait(Self.loop, leavingOutItsThread: true, limit: 0)) }
}
