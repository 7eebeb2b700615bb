import Foundation

/// Sheets whose delegate a host is; it clears them when it is told that the host dies.
class Parasite: @unchecked Sendable {
  private let lock = NSLock()
  private var sanctuary: [ActionSheet] = []

  func add(_ sheet: ActionSheet) { lock.withLock { sanctuary.append(sheet) } }

  /// The sheets forget their delegate.
  func redeemAll() {
    let sheets = lock.withLock {
      let all = sanctuary
      sanctuary = []
      return all
    }
    for sheet in sheets { sheet.delegate = nil }
  }
}

/// Dies with its host, as an associated object: after the host's own parts, so always a moment too late.
final class AssociatedParasite: Parasite, @unchecked Sendable {
  /// Called when the host's own parts are gone and nothing is cleared yet.
  var hostIsGone: (() -> Void)?

  deinit {
    hostIsGone?()
    redeemAll()
  }
}
