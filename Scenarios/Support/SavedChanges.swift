/// What a "did save" notification tells: IDs, which any thread can use.
struct SavedChanges: Sendable {
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []
}
