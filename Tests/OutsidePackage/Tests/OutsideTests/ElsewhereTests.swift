import Dispatch
import LifelineTesting
import Testing

final class DetachedNode: Node {}
final class QueueNode: Node {}
final class ServiceNode: Node {}

enum Service {
  static func start(_ done: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async {
      let node = ServiceNode()
      node.next = node
      done()
    }
  }
}

/// Work that has no task-local values. The first two must fail.
@Suite(.lifetimes(.noLeaks)) struct ElsewhereTests {
  @Test("leaks in a detached task") func detached() async {
    await Task.detached {
      await Task.yield()
      let node = DetachedNode()
      node.next = node
    }.value
  }

  @Test("leaks on a queue") func queue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        Self.close(QueueNode())
        continuation.resume()
      }
    }
  }

  /// Code that the test's closure calls belongs to the test as well.
  static func close(_ node: QueueNode) { node.list = [node, QueueNode()] }

  /// The block is in another function, so it is unknown which test it works for.
  @Test("a service leaks on a queue of its own") func service() async {
    await withCheckedContinuation { continuation in Service.start { continuation.resume() } }
  }
}
