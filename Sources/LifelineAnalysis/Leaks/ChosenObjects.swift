import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// The objects of the classes that a recording was told to record: what is lost without any of them was not asked for.
///
/// The heap has every class's objects, whatever the recording was told.
public struct ChosenObjects {
  /// Addresses of those that live at the end; nil where all classes were recorded, and of a recording that began when
  /// there were objects already, which it does not know.
  private let addresses: Set<UInt64>?

  public init(_ recording: Recording, _ tracker: LifetimeTracker) {
    let isChosen = recording.isFiltered && recording.age == nil
    addresses = isChosen ? Set(tracker.liveObjects.map(\.address)) : nil
  }

  /// Whether anything lost with a group was chosen.
  public func concern(_ group: LostGroup, in graph: HeapGraph) -> Bool {
    guard let addresses else { return true }
    return group.members.contains { addresses.contains(graph.addresses[$0]) }
  }
}
