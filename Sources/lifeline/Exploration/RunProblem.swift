import LifelineTrace

/// The problem of a run, and how to recognize it in another.
enum RunProblem: Equatable {
  /// A problem with an object of this class; "" if it has none.
  case wrongObject(String)
  /// A problem that only a diagnosis finds, such as a broken contract.
  case judged
  /// It ended unlike the natural run.
  case end(Recording.End)
  /// It did not end.
  case hang

  var wrongClass: String? {
    if case .wrongObject(let name) = self { name } else { nil }
  }
}
