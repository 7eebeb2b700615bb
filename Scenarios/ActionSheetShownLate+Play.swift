import LifelineScenarios

extension ActionSheetShownLate {
  /// A reference that a page of the clearing subclass sets to nil when it dies.
  final class ZeroingReference: @unchecked Sendable { var isAlive = true }

  final class WatchedPage: Page, @unchecked Sendable {
    let reference = ZeroingReference()
    deinit { reference.isAlive = false }
  }

  final class ZeroingSheet: ActionSheet, @unchecked Sendable {
    var reference: ZeroingReference?
    override var delegate: ActionSheetDelegate? {
      get { reference?.isAlive == true ? super.delegate : nil }
      set { super.delegate = newValue }
    }
  }

  /// The page is closed before its sheet is shown; then a button is pressed.
  static func play(
    _ application: Application = Application(), sheet make: (Page) -> ActionSheet = { $0.makeSheet() }, _ makePage: (Tally) -> Page
  ) {
    let clicks = Tally()
    open(makePage(clicks), in: application)
    let sheet = make(application.mainWindow.rootViewController as! Page)
    // A sheet that is shown at once works, in every variant.
    sheet.press(0)
    observe("clicks delivered while the page is open", clicks.count, is: 1)
    application.show(sheet)
    application.mainWindow.rootViewController = nil  // <- page closed
    sheet.press(1)
    observe("clicks delivered in all", clicks.count, is: 1)
  }

  private static func open(_ page: Page, in application: Application) { application.mainWindow.rootViewController = page }

  static let scenario = Scenario(
    "ActionSheetShownLate", "A button is pressed in a sheet whose delegate is gone", from: "delegate-dangling-pointer.txt",
    support: ["ActionSheetShownLate.swift", "Support/ActionSheet.swift"],
    variants: [
      Variant(
        "buggy", "The sheet outlives the page that it was made for.",
        expect: [
          .found(
            "use-after-free", "Page#1", access: "message", message: "actionSheet(_:clickedButtonAt:)",
            lines: ["access": "button pressed", "final-release": "page closed"])
        ]
      ) { play { Page(clicks: $0) } },
      Variant("kept-in-property", "The page keeps its sheets in a property and clears their delegate.", expect: [.live("RememberingPage", count: 0)]) {
        play { RememberingPage(clicks: $0) }
      },
      Variant("found-by-tag", "The page searches the alert windows for the sheet by tag.", expect: [.live("TagSearchingPage", count: 0)]) {
        let application = Application()
        play(application) { TagSearchingPage(clicks: $0, application: application) }
        observe("the sheet is in the page's own window", application.mainWindow.view(withTag: sheetTag) != nil, is: false)
        observe("it is in the last window", application.windows.last?.view(withTag: sheetTag) != nil, is: true)
      },
      Variant("found-by-class", "The page searches all windows for its sheets.", expect: [.live("ClassSearchingPage", count: 0)]) {
        let application = Application()
        play(application) { ClassSearchingPage(clicks: $0, application: application) }
      },
      Variant("associated-parasite", "A parasite that dies with the page clears the sheets.", expect: [.live("InfestedPage", count: 0)]) {
        play { InfestedPage(clicks: $0) }
      },
      Variant("locked-table", "A locked table is cleared before the page is destroyed.", expect: [.live("ListedPage", count: 0)]) {
        let table = DelegateTable()
        play { ListedPage(clicks: $0, table: table) }
      },
      Variant("zeroing-reference", "A clearing subclass makes the sheet's reference read nil.", expect: [.live("WatchedPage", count: 0)]) {
        play(sheet: { page in
          let sheet = ZeroingSheet(delegate: page)
          sheet.reference = (page as! WatchedPage).reference
          return sheet
        }) { WatchedPage(clicks: $0) }
      },
    ])
}
