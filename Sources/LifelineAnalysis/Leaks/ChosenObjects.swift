import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// The objects of the classes selected for a recording; a leak without any of them was not asked for.
///
/// The heap has the objects of every class, whatever was selected.
public struct ChosenObjects {
  /// Addresses of those that live at the end; nil if all classes were recorded, or if the recording began when unknown
  /// objects already existed.
  private let addresses: Set<UInt64>?

  public init(_ recording: Recording, _ tracker: LifetimeTracker) {
    let isChosen = recording.isFiltered && recording.age == nil
    addresses = isChosen ? Set(tracker.liveObjects.map(\.address)) : nil
  }

  /// Whether a group includes an object of a selected class.
  public func concern(_ group: LostGroup, in graph: HeapGraph) -> Bool {
    guard let addresses else { return true }
    return group.members.contains { addresses.contains(graph.addresses[$0]) }
  }
}
