/// What an "objects did change" notification tells; it holds the objects while it is posted.
final class ContextChanges: @unchecked Sendable {
  var inserted: [ManagedObject] = []
  var updated: [ManagedObject] = []
  var refreshed: [ManagedObject] = []
  var deleted: [ManagedObject] = []
  private var firstReaction: (() -> Void)?

  init(firstReaction: (() -> Void)? = nil) { self.firstReaction = firstReaction }

  /// Notification centers call observers in an order that changes from run to run. A story that needs one makes it:
  /// whichever observer is called first starts the reaction that has to come first.
  func settle() {
    let reaction = firstReaction
    firstReaction = nil
    reaction?()
  }
}
