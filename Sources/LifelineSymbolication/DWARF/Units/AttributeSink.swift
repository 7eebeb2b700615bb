/// Keeps the needed attributes of an entry.
protocol AttributeSink {
  init()
  mutating func set(_ slot: EntryAttributes.Slot, _ value: EntryAttributes.Value)
}
