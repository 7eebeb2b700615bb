import LifelineTrace

/// What is wrong with a run, and by what it is known again in another.
enum RunProblem: Equatable {
  /// Something wrong was done with an object of this class; "" when it has none.
  case wrongObject(String)
  /// What only a diagnosis sees, such as a broken contract.
  case judged
  /// It ended as the program by itself does not.
  case end(Recording.End)
  /// It did not end.
  case hang

  var wrongClass: String? {
    if case .wrongObject(let name) = self { name } else { nil }
  }
}
