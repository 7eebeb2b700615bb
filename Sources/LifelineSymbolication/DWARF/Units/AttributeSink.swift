/// Keeps those attributes of an entry that somebody needs.
protocol AttributeSink {
  init()
  mutating func set(_ slot: EntryAttributes.Slot, _ value: EntryAttributes.Value)
}
