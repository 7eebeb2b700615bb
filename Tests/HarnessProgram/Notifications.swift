import Foundation
import Lifeline

extension Notification.Name { static let changed = Notification.Name("changed") }

final class Context {}

final class ListController {
  private(set) var changes = 0
  func contextChanged(_ notification: Notification) { changes += notification.object is Context ? 1 : 0 }
}

enum Notifications {
  static func run() {
    let center = TrackedNotificationCenter()
    let context = Context()
    var controller: ListController? = ListController()
    center.addObserver(controller!, method: ListController.contextChanged, name: .changed, object: context)
    let token = center.addObserver(forName: .changed, object: nil, queue: nil) { _ in print("block") }
    center.post(name: .changed, object: context, userInfo: ["target": Target("payload"), "number": 3])
    center.post(name: .changed, object: nil)
    print(controller!.changes)
    center.removeObserver(token)
    center.post(name: .changed, object: context)
    print(controller!.changes)
    center.removeObserver(controller!)
    center.post(name: .changed, object: context)
    print(controller!.changes)
    center.addObserver(controller!, method: ListController.contextChanged, name: .changed)
    weak let gone = controller
    controller = nil
    print(gone == nil)
    center.post(name: .changed, object: context)
    let other = ListController()
    center.addObserver(other, method: ListController.contextChanged, name: .changed)
    center.post(name: .changed, object: context)
    print(other.changes)
  }
}
