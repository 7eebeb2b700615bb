/// What the store keeps of a record.
struct Row: Equatable, Sendable {
  var name: String
  var isEven = false
  var related: [ManagedObjectID] = []
}
