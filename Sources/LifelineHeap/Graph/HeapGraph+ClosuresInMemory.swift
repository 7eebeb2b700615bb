extension HeapGraph {
  /// Adds the functions of closures in plain memory, such as a buffer from `UnsafeMutablePointer.allocate`. `code` has,
  /// by edge, the code whose address is in the word before.
  ///
  /// Nothing but a closure's function is before a context, except in frames of tasks, where the function in which a
  /// caller resumes is before the frame's own words.
  mutating func addClosures(inMemory code: [UInt32: UInt64]) {
    let found = code.filter { type(of: target(of: Int($0.key))).kind == .closure }
    guard !found.isEmpty else { return }
    let frames = framesOfTasks()
    for (edge, function) in found where !frames.contains(source(of: Int(edge))) { edgeFunctions[edge] = function }
  }

  /// Memory that tasks refer to, directly or through other memory.
  private func framesOfTasks() -> Set<Int> {
    var found: Set<Int> = []
    var work = (0..<count).filter { type(of: $0).kind == .task }
    while let node = work.popLast() {
      for target in edges(from: node).map(target) where type(of: target).kind == .memory {
        if found.insert(target).inserted { work.append(target) }
      }
    }
    return found
  }
}
