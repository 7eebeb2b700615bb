import LifelineTestSupport
import LifelineTrace
import Testing

/// Signal handlers that use objects, wherever they interrupt the recorder.
@Suite(.startsPrograms) struct SignalTests {
  @Test(
    "A signal handler can retain objects while a thread starts or the recorder meets a new class",
    .timeLimit(.minutes(60)))
  func startingThreads() throws {
    let source = """
      import Foundation
      final class Global { var value = 1 }
      final class Box<T> { var value: T; init(_ value: T) { self.value = value } }
      struct Tag<T> {}
      nonisolated(unsafe) let global = Global()
      nonisolated(unsafe) var kept: Global? = nil
      nonisolated(unsafe) var handled = 0
      @inline(never) func meet<T>(_ type: T.Type, _ depth: Int) -> Int {
        let box = Box<T?>(nil)
        return withExtendedLifetime(box) { depth == 0 ? 1 : meet(Tag<T>.self, depth - 1) + 1 }
      }
      _ = global.value
      var none = sigset_t()  // the test's threads block signals, and its children inherit that
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      signal(SIGALRM) { _ in handled &+= 1; let own = global; withExtendedLifetime(own) {} }
      var timer = itimerval(it_interval: timeval(tv_sec: 0, tv_usec: 50), it_value: timeval(tv_sec: 0, tv_usec: 50))
      setitimer(__itimer_which_t(0), &timer, nil)
      var met = 0
      for round in 0..<60 {
        let group = DispatchGroup()
        for index in 0..<8 {
          group.enter()
          Thread { _ = meet(Int.self, (round + index) % 30); group.leave() }.start()
        }
        group.wait()
        met += 8
      }
      timer = itimerval()
      setitimer(__itimer_which_t(0), &timer, nil)
      print(met, handled > 0)
      fflush(stdout)
      _exit(0)
      """
    let run = try RecordedRun(try TestProgram(source, options: ["-Onone"]))
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "480 true\n")
    #expect(run.trace.problems == [])
  }

  @Test(
    "Objects that a signal handler frees on an alternate stack below the heap are freed in the trace",
    .timeLimit(.minutes(60)))
  func stackBelowHeap() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      nonisolated(unsafe) var nodes: [Node] = []
      let memory = malloc(100_000)!
      var alternate = stack_t(ss_sp: memory, ss_flags: 0, ss_size: 100_000)
      sigaltstack(&alternate, nil)
      for _ in 0..<1000 { nodes.append(Node()) }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in nodes.removeAll() }
      action.sa_flags = SA_ONSTACK
      sigaction(SIGUSR1, &action, nil)
      var none = sigset_t()  // the test's threads block signals, and its children inherit that
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      raise(SIGUSR1)
      print(nodes.count)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.behavesTheSame && run.plain.output == "0\n")
    #expect(run.totals("Node")?.allocated == 1000)
    #expect(run.totals("Node")?.freed == 1000)
  }
}
