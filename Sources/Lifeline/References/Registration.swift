import CLifelineHarness
import Foundation

/// An observer called through a method: the method and the reference to the observer.
final class Registration<Observer: AnyObject>: @unchecked Sendable {
  private weak var observer: Observer?
  private let method: (Observer) -> (Notification) -> Void
  private let declaration: Declaration

  init(_ observer: Observer, _ method: @escaping (Observer) -> (Notification) -> Void, _ declaration: Declaration) {
    self.observer = observer
    self.method = method
    self.declaration = declaration
  }

  func deliver(_ notification: Notification) {
    guard let observer else { return }
    guard Timeline.isRecording else { return method(observer)(notification) }
    let delivery = RecordedSpan(LIFELINE_SPAN_delivery, notification.name.rawValue)
    declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_weak, ReferenceShape.address(observer))
    delivery.holding(observer, as: LIFELINE_ROLE_observer) { method(observer)(notification) }
    delivery.end()
  }
}
