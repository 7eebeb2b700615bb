/// One object that represents a record in one context.
///
/// It refers to its context weakly and to the objects that it is related to strongly. A fault knows nothing but its ID.
final class ManagedObject {
  let id: ManagedObjectID
  private(set) weak var context: ManagedObjectContext?
  private var row: Row?
  /// The related objects, held while this is no fault.
  private(set) var related: [ManagedObject] = []
  /// Turned back into a fault by a refresh: whoever reads it next makes a change that is told of.
  private(set) var wasRefreshed = false

  init(_ id: ManagedObjectID, in context: ManagedObjectContext, row: Row? = nil) {
    self.id = id
    self.context = context
    self.row = row
  }

  var isFault: Bool { row == nil }

  /// What is known of the record; a fault is fired, which needs a living context.
  var values: Row {
    if row == nil { context?.fire(self) }
    return row ?? Row(name: "")
  }

  var name: String {
    get { values.name }
    set { change { $0.name = newValue } }
  }

  var isEven: Bool {
    get { values.isEven }
    set { change { $0.isEven = newValue } }
  }

  /// Holds `other` until this object becomes a fault.
  func relate(to other: ManagedObject) {
    change { $0.related.append(other.id) }
    related.append(other)
  }

  private func change(_ body: (inout Row) -> Void) {
    let old = values
    var new = old
    body(&new)
    row = new
    context?.didChange(self, from: old)
  }

  /// Takes what the store, or another context, knows.
  func fill(_ row: Row, related: [ManagedObject]) {
    self.row = row
    self.related = related
    wasRefreshed = false
  }

  func turnIntoFault(byRefresh: Bool) {
    wasRefreshed = byRefresh && row != nil
    row = nil
    related = []
  }
}
