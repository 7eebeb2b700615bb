import Glibc
import LifelineTestSupport
import Testing

@testable import LifelineHeap

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct TracedThreadTests {
  @Test("A process that is killed while its threads are stopped ends for its parent")
  func killed() throws {
    let program = try TestProgram(
      """
      import Glibc
      for _ in 0..<4 {
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
      }
      while true { pause() }
      """)
    let process = try TestProcess(program.path, [], limit: .seconds(60))
    let number = Int(process.identifier)
    while ProcessFile.numbers(in: "/proc/\(number)/task").count < 5 { usleep(1000) }
    var stop = try ProcessStop(number)
    process.send(SIGKILL)
    stop.letGo()
    var information = siginfo_t()
    for _ in 0..<10_000 where information.si_signo == 0 {
      waitid(P_PID, id_t(process.identifier), &information, WEXITED | WNOWAIT | WNOHANG)
      usleep(1000)
    }
    #expect(information.si_signo == SIGCHLD)
    try #expect(process.wait() == 128 + SIGKILL)
  }
}
