import Foundation

/// The delegates of sheets, keyed by host and guarded by one lock, so that clearing and pressing exclude each other.
final class DelegateTable: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var sheets: [ObjectIdentifier: [ActionSheet]] = [:]

  func set(_ sheet: ActionSheet, delegate: ActionSheetDelegate) {
    lock.withLock {
      sheet.delegate = delegate
      sheets[ObjectIdentifier(delegate), default: []].append(sheet)
    }
  }

  /// Called by a host before anything of it is destroyed.
  func clear(_ host: ObjectIdentifier) {
    lock.withLock { for sheet in sheets.removeValue(forKey: host) ?? [] { sheet.delegate = nil } }
  }

  func press(_ sheet: ActionSheet, _ index: Int) { lock.withLock { sheet.press(index) } }
}
