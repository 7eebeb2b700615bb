/// A cut, and the references that each of its changes removes.
struct ProvenCut {
  var cut: LeakCut
  let candidates: [LeakCutInspector.Candidate]

  var edges: [Int] { candidates.flatMap(\.edges) }
}
