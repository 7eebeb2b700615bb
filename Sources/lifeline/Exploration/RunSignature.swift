import LifelineTrace

/// By what a find is known again in another run.
struct RunSignature: Equatable {
  /// Class of the object that something wrong was done with; nil where only the end of the program is wrong.
  let wrongClass: String?
  let end: Recording.End

  init(_ run: ExploredRun, _ reading: RunReading) {
    wrongClass = reading.wrongClass
    end = run.wasStopped ? .unknown : run.result.end
  }

  /// Whether it is the same: the class decides, or else how the program ended.
  func matches(_ other: RunSignature) -> Bool {
    other.wrongClass == nil ? self == other : wrongClass == other.wrongClass
  }
}
