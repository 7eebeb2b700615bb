import Foundation

/// Two contexts on one store: what the background saves is merged into the main context. Each has a controller.
final class SiblingStack: @unchecked Sendable {
  let store = PersistentStoreCoordinator()
  let main: ManagedObjectContext
  let background: ManagedObjectContext
  let mainController: FetchedResultsController
  let backgroundController: FetchedResultsController
  let told = ChangeRecorder()
  private let backgroundTold = ChangeRecorder()
  private var observer: NSObjectProtocol?
  /// What the background's last save told.
  private(set) var saved = SavedChanges()

  /// - Parameters:
  ///   - merge: What the main context does with a save; by default it merges the changes.
  init(
    where matches: @escaping (Row) -> Bool, hasDelegate: Bool = true, isChild: Bool = false,
    controller: (ManagedObjectContext, @escaping (Row) -> Bool) -> FetchedResultsController = { FetchedResultsController($0, where: $1) },
    merge: @escaping @Sendable (SiblingStack, SavedChanges) -> Void = { $0.main.mergeChanges($1) }
  ) {
    main = ManagedObjectContext(store)
    background = isChild ? ManagedObjectContext(parent: main) : ManagedObjectContext(store)
    mainController = controller(main, matches)
    backgroundController = FetchedResultsController(background)
    if hasDelegate { mainController.delegate = told }
    backgroundController.delegate = backgroundTold
    mainController.performFetch()
    backgroundController.performFetch()
    observer = NotificationCenter.default.addObserver(forName: ManagedObjectContext.didSave, object: background, queue: nil) { [weak self] note in
      guard let self, let changes = note.userInfo?["changes"] as? SavedChanges else { return }
      saved = changes
      if !isChild { merge(self, changes) }
    }
  }

  /// Lets go of what the notification center keeps.
  func close() {
    mainController.stop()
    backgroundController.stop()
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }
}
