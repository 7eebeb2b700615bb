// An action sheet is shown late, after its delegate is gone, and one of its buttons is pressed.
//
// From delegate-dangling-pointer.txt. A page is asked to show an action sheet, but a finger on the screen
// delays it. The page is closed; then the sheet appears in a window of its own, which keeps it alive, and a
// button is pressed. The sheet's delegate is an assigned reference to the page, which is freed memory by now.
//
// Found: a use after free, the page messaged by the sheet. Each of the article's remedies is a variant: none has a
// finding, and none delivers the click to a dead page. Swift cannot create subclasses at run time on Linux, so for the
// last remedy, Mike Ash's zeroing weak reference, the page is an instance of the clearing subclass from the start.
import LifelineScenarios

enum ActionSheetShownLate {
  static let sheetTag = 320

  class Page: ViewController, @unchecked Sendable {
    let clicks: Tally
    init(clicks: Tally) {
      self.clicks = clicks
      super.init(title: "page")
    }

    /// Makes the sheet that will be shown when the finger is lifted.
    func makeSheet() -> ActionSheet {
      let sheet = ActionSheet(delegate: self)
      sheet.tag = ActionSheetShownLate.sheetTag
      return sheet
    }

    override func actionSheet(_ sheet: ActionSheet, clickedButtonAt index: Int) { clicks.add() }
  }

  /// Remedy: the page remembers its sheets and clears them.
  final class RememberingPage: Page, @unchecked Sendable {
    private var sheets: [ActionSheet] = []
    override func makeSheet() -> ActionSheet {
      let sheet = super.makeSheet()
      sheets.append(sheet)
      return sheet
    }
    deinit { for sheet in sheets { sheet.delegate = nil } }
  }

  /// Remedy: the page looks for its sheet in the windows for alerts.
  final class TagSearchingPage: Page, @unchecked Sendable {
    private let application: Application
    init(clicks: Tally, application: Application) {
      self.application = application
      super.init(clicks: clicks)
    }
    deinit {
      for window in application.windows where window is AlertOverlayWindow {
        (window.view(withTag: ActionSheetShownLate.sheetTag) as? ActionSheet)?.delegate = nil
      }
    }
  }

  /// Remedy: the page walks every window for sheets whose delegate it is.
  final class ClassSearchingPage: Page, @unchecked Sendable {
    private let application: Application
    init(clicks: Tally, application: Application) {
      self.application = application
      super.init(clicks: clicks)
    }
    deinit { for sheet in application.sheets where sheet.isDelegate(self) { sheet.delegate = nil } }
  }

  /// Remedy: what every page is the delegate of is registered with a parasite that dies with it.
  final class InfestedPage: Page, @unchecked Sendable {
    private let parasite = AssociatedParasite()
    override func makeSheet() -> ActionSheet {
      let sheet = super.makeSheet()
      parasite.add(sheet)
      return sheet
    }
  }

  /// Remedy: a locked table keyed by the page, cleared before the page is destroyed.
  final class ListedPage: Page, @unchecked Sendable {
    private let table: DelegateTable
    init(clicks: Tally, table: DelegateTable) {
      self.table = table
      super.init(clicks: clicks)
    }
    override func makeSheet() -> ActionSheet {
      let sheet = super.makeSheet()
      table.set(sheet, delegate: self)
      return sheet
    }
    deinit { table.clear(ObjectIdentifier(self)) }
  }
}
