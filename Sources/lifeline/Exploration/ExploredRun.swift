import LifelineAnalysis
import LifelineRecording
import LifelineTrace

/// A completed run of an exploration.
struct ExploredRun {
  let step: SchedulePlan.Step
  let result: Recorder.Result
  /// Whether it was stopped at its time limit.
  let wasStopped: Bool
  private let folder: ScratchFolder

  init(_ step: SchedulePlan.Step, _ result: Recorder.Result, wasStopped: Bool, folder: ScratchFolder) {
    self.step = step
    self.result = result
    self.wasStopped = wasStopped
    self.folder = folder
  }

  static func outputPath(_ folder: ScratchFolder) -> String { "\(folder.path)/output" }

  /// The program's output.
  var output: String { (try? InputFile(path: Self.outputPath(folder)).read()) ?? "" }

  /// Removes its traces and output.
  func remove() { folder.remove() }
}
