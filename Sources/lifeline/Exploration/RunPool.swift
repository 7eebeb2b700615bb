import Glibc
import LifelineAnalysis
import LifelineRecording
import LifelineTrace

/// Runs a program repeatedly, with several runs in parallel.
struct RunPool {
  let program: String
  let arguments: ProgramArguments
  let options: RecordingOptions
  /// Number of parallel runs.
  let jobs: Int
  /// Time limit of a run in seconds.
  let limit: Double

  /// A signal that ends lifeline arrived, and the runs were ended too.
  struct Interruption: Error {
    let signal: Int32
  }

  fileprivate struct Slot {
    let step: SchedulePlan.Step
    let folder: ScratchFolder
    var run: BackgroundRun
  }

  /// Starts runs as long as `next` returns a step, and passes each to `handle` when it has ended; once that returns
  /// false, no more are started and active ones are ended. `handle` must remove the run.
  ///
  /// - Throws: `RecordingError`, `Interruption`, and the errors of `handle`.
  func run(next: () -> SchedulePlan.Step?, handle: (ExploredRun) throws -> Bool) throws {
    var watched = sigset_t(), original = sigset_t()
    sigemptyset(&watched)
    for number in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&watched, number) }
    pthread_sigmask(SIG_BLOCK, &watched, &original)
    var slots: [Slot] = []
    defer {
      for slot in slots { slot.end() }
      pthread_sigmask(SIG_SETMASK, &original, nil)
    }
    var isOver = false
    while true {
      while !isOver, slots.count < jobs {
        guard let step = next() else {
          isOver = true
          break
        }
        slots.append(try begin(step, mask: original))
      }
      if slots.isEmpty { return }
      for index in slots.indices.reversed() {
        guard let result = slots[index].run.result() else { continue }
        let slot = slots.remove(at: index)
        guard try handle(ExploredRun(slot.step, result, wasStopped: slot.run.wasStopped, folder: slot.folder)) else {
          return
        }
      }
      var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
      let signal = sigtimedwait(&watched, nil, &pause)
      if signal > 0 { throw Interruption(signal: signal) }
    }
  }

  private func begin(_ step: SchedulePlan.Step, mask: sigset_t) throws -> Slot {
    let folder = try ScratchFolder()
    var options = options
    options.output = "\(folder.path)/%e.%p.lifeline"
    options.schedule = step.schedule
    options.explorer = Int(getpid())
    do {
      let run = try BackgroundRun(
        program, arguments: arguments, options: options, output: ExploredRun.outputPath(folder), limit: limit,
        mask: mask)
      return Slot(step: step, folder: folder, run: run)
    } catch {
      folder.remove()
      throw error
    }
  }
}

extension RunPool.Slot {
  /// Ends a run whose result is not needed.
  fileprivate func end() {
    run.stop()
    var run = run
    while run.result() == nil { usleep(1000) }
    folder.remove()
  }
}
