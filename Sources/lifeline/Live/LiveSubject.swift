import Glibc
import LifelineRecording
import LifelineTrace

/// What is watched: the trace of a running process, or of a program that is started for it.
struct LiveSubject {
  let path: String
  let run: WatchedRun?

  /// A trace by name, or by the ID of the process that writes it.
  ///
  /// - Throws: `TraceError`; `ExitStatus.noVerdict` for a process that is not recorded.
  init(_ word: String) throws {
    run = nil
    guard let process = Int(word), process > 0, access(word, F_OK) != 0 else {
      path = word
      return
    }
    guard let trace = try WatchedProcess.trace(of: process) else {
      Console.log(
        "process \(process) is not being recorded; 'lifeline attach \(process)' starts that, and 'lifeline record "
          + "PROGRAM' records a program from its start."
      )
      throw ExitStatus.noVerdict
    }
    path = trace
  }

  /// Starts a program and waits for its trace.
  ///
  /// - Throws: `RecordingError`; `ExitStatus.noVerdict` if it wrote no trace.
  init(program: String, arguments: ProgramArguments, options: RecordingOptions, output: String?) throws {
    let run = try WatchedRun(program, arguments: arguments, options: options, output: output)
    self.run = run
    while true {
      if let trace = run.trace {
        path = trace
        return
      }
      if let result = run.result() {
        guard let trace = result.trace ?? result.descendants.last else {
          Console.log("nothing was recorded. \(result.reason ?? "")")
          throw ExitStatus.noVerdict
        }
        path = trace
        return
      }
      if LiveSignals.last != 0 {
        run.end()
        throw ExitStatus.noVerdict
      }
      usleep(10_000)
    }
  }
}

extension WatchedRun {
  /// Asks it to end, ends it after five seconds, and completes its trace.
  func end() {
    if result() != nil { return }
    stop(SIGTERM)
    for _ in 0..<100 {
      if result() != nil { return }
      usleep(50_000)
    }
    stop(SIGKILL)
    while result() == nil { usleep(10_000) }
  }
}
