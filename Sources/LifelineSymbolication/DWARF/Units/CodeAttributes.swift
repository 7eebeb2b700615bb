/// The attributes of an entry with the location of its code, which is all that is read of most functions.
struct CodeAttributes: AttributeSink {
  private(set) var low = EntryAttributes.Value()
  private(set) var high = EntryAttributes.Value()
  private(set) var ranges = EntryAttributes.Value()

  @inline(__always)
  mutating func set(_ slot: EntryAttributes.Slot, _ value: EntryAttributes.Value) {
    switch slot {
    case .low: low = value
    case .high: high = value
    case .ranges: ranges = value
    default: break
    }
  }
}
