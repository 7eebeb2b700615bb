import LifelineAnalysis
import LifelineRecording
import LifelineTrace

/// A run of an exploration that has ended.
struct ExploredRun {
  let step: SchedulePlan.Step
  let result: Recorder.Result
  /// Whether its time was over.
  let wasStopped: Bool
  private let folder: ScratchFolder

  init(_ step: SchedulePlan.Step, _ result: Recorder.Result, wasStopped: Bool, folder: ScratchFolder) {
    self.step = step
    self.result = result
    self.wasStopped = wasStopped
    self.folder = folder
  }

  static func outputPath(_ folder: ScratchFolder) -> String { "\(folder.path)/output" }

  /// What the program printed.
  var output: String { (try? InputFile(path: Self.outputPath(folder)).read()) ?? "" }

  /// Removes its traces and what it printed.
  func remove() { folder.remove() }
}
