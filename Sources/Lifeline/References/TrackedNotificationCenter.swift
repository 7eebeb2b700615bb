import CLifelineHarness
public import Foundation

/// Foundation's notification center, with its posts and deliveries recorded.
///
/// The real center does the work; the begin and end of a post, each delivery to an observer, and what is kept alive
/// meanwhile (the observer, the sender and the payload) are recorded in the trace.
public final class TrackedNotificationCenter: @unchecked Sendable {
  /// Records posts to Foundation's default center made through this center.
  public static let `default` = TrackedNotificationCenter(.default)

  private let center: NotificationCenter

  /// Records what goes through `center`, by default a new center.
  public init(_ center: NotificationCenter = NotificationCenter()) { self.center = center }

  /// Calls `block` for each notification until the token is given to `removeObserver(_:)`, as Foundation's does.
  public func addObserver(
    forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol {
    center.addObserver(forName: name, object: object, queue: queue) { notification in
      guard Timeline.isRecording else { return block(notification) }
      let delivery = RecordedSpan(LIFELINE_SPAN_delivery, notification.name.rawValue)
      block(notification)
      delivery.end()
    }
  }

  /// Calls a method of `observer` for each notification, as the form with a selector does where there are selectors.
  ///
  ///     center.addObserver(self, method: ListController.contextChanged, name: .contextChanged)
  ///
  /// The observer is not kept alive, except while its method runs; once it is gone nothing is called any more.
  public func addObserver<Observer: AnyObject>(
    _ observer: Observer, method: @escaping (Observer) -> (Notification) -> Void, name: NSNotification.Name?,
    object: Any? = nil,
    file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    let registration = Registration(observer, method, Declaration(file, line, function))
    let token = center.addObserver(forName: name, object: object, queue: nil) { registration.deliver($0) }
    registrations.add(token, for: ObjectIdentifier(observer)) { [weak observer] in observer != nil }
      .forEach(center.removeObserver)
  }

  /// Removes a token, or all registrations of an object.
  public func removeObserver(_ observer: Any) {
    let tokens = registrations.remove(ObjectIdentifier(observer as AnyObject))
    if tokens.isEmpty { center.removeObserver(observer) }
    tokens.forEach(center.removeObserver)
  }

  /// Posts a notification, and records its begin and end and that it keeps its sender and payload alive meanwhile.
  public func post(_ notification: Notification) {
    guard Timeline.isRecording else { return center.post(notification) }
    let post = RecordedSpan(LIFELINE_SPAN_post, notification.name.rawValue)
    // Classes only: a struct would be put into a box, which belongs to no object.
    var held: [(AnyObject, lifeline_role)] = []
    if let sender = notification.object, type(of: sender) is AnyClass {
      held.append((sender as AnyObject, LIFELINE_ROLE_sender))
    }
    for value in notification.userInfo.map({ Array($0.values) }) ?? [] where type(of: value) is AnyClass {
      held.append((value as AnyObject, LIFELINE_ROLE_payload))
    }
    deliver(notification, in: post, held[...])
    post.end()
  }

  /// Makes a notification and posts it.
  public func post(name: NSNotification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
    post(Notification(name: name, object: object, userInfo: userInfo))
  }

  private let registrations = RegistrationTable()

  private func deliver(
    _ notification: Notification, in span: RecordedSpan, _ held: ArraySlice<(AnyObject, lifeline_role)>
  ) {
    guard let (object, role) = held.first else { return center.post(notification) }
    span.holding(object, as: role) { deliver(notification, in: span, held.dropFirst()) }
  }
}
