/// Who wants to know which button was pressed.
class ActionSheetDelegate: @unchecked Sendable {
  func actionSheet(_ sheet: ActionSheet, clickedButtonAt index: Int) {}
}

/// Buttons, and a delegate that is assigned, not kept and not watched, as UIKit's was.
class ActionSheet: View, @unchecked Sendable {
  private unowned(unsafe) var assigned: ActionSheetDelegate?

  init(delegate: ActionSheetDelegate? = nil) {
    super.init()
    self.delegate = delegate
  }

  var delegate: ActionSheetDelegate? {
    get { assigned }
    set { assigned = newValue }
  }

  func press(_ index: Int) { delegate?.actionSheet(self, clickedButtonAt: index) }  // <- button pressed

  /// Whether this is the delegate, without touching what may be freed.
  func isDelegate(_ candidate: ActionSheetDelegate) -> Bool { delegate === candidate }
}
