/// Addresses at which mappings begin that are not the heap's.
struct MappingStarts {
  private let recorder: Set<UInt64>
  private let others: Set<UInt64>

  init() { (recorder, others) = ([], []) }

  /// The recorder's memory, files, and memory that cannot be read, such as guard pages of stacks.
  init(_ memory: HeapMemory) {
    recorder = Set(memory.recorder.ranges.map(\.lowerBound))
    others = Set(
      memory.source.regions.filter { $0.inode != 0 || !$0.isReadable }.map(\.addresses.lowerBound))
  }

  /// Code that fills an array or reads it backwards may have only the array's end on its stack, in doubt also where
  /// another mapping begins. The recorder's address is on the stacks of its threads, in their thread-local variables.
  func contains(_ address: UInt64, onStack isStack: Bool) -> Bool {
    recorder.contains(address) || !isStack && others.contains(address)
  }
}
