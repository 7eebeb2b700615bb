// A delegate is freed while something else keeps the object that messages it alive.
//
// The story of the article "unowned(unsafe) var delegate" with the real NotificationCenter: a detail
// screen owns a fetched results controller and is its delegate. While "the context changed" is being
// posted, the detail screen is released. It stops the controller, dies, and releases it. But the
// post works on its own copy of the observers, whose closure holds the controller until the post
// ends. For that time the controller's delegate is freed memory, and the controller messages it.
import Foundation

let contextDidChange = Notification.Name("ContextDidChange")

class FetchedResultsControllerDelegate {
  func controllerWillChangeContent() {}
}

final class FetchedResultsController {
  unowned(unsafe) var delegate: FetchedResultsControllerDelegate
  private var observer: NSObjectProtocol?

  init(delegate: FetchedResultsControllerDelegate) {
    self.delegate = delegate
    observer = NotificationCenter.default.addObserver(forName: contextDidChange, object: nil, queue: nil) { [self] note in
      contextChanged(note)
    }
  }

  func stopObserving() {
    NotificationCenter.default.removeObserver(observer!)
    observer = nil
  }

  func contextChanged(_ note: Notification) {
    (note.object as? MasterViewController)?.closeDetail()
    delegate.controllerWillChangeContent()
  }
}

final class DetailViewController: FetchedResultsControllerDelegate {
  var rows = [1, 2, 3]
  private var controller: FetchedResultsController!

  override init() {
    super.init()
    controller = FetchedResultsController(delegate: self)
  }

  deinit { controller.stopObserving() }

  override func controllerWillChangeContent() { print("reloading", rows.count, "rows") }
}

final class MasterViewController {
  private var detail: DetailViewController?

  func openDetail() { detail = DetailViewController() }
  func closeDetail() { detail = nil }
}

let master = MasterViewController()
master.openDetail()
NotificationCenter.default.post(name: contextDidChange, object: master)
print("done")
