// Another thread presses a button between the destruction of a page and the clearing of its sheet's delegate.
//
// From delegate-dangling-pointer.txt: an associated parasite is destroyed after its host, so there is always a moment at
// which the host is gone and the delegate is not cleared. A locked table keyed by the host, cleared before any part of the
// host is destroyed, has no such moment. Threads are held at named points, so the press falls into that moment in every run.
//
// Found: with the parasite, a use after free: the page's title is gone when the other thread's click
// reads it. With the table, nothing: the click waits for the lock, and then there is no delegate.
import LifelineScenarios

enum ParasiteRace {
  class ListedPage: ActionSheetDelegate, @unchecked Sendable {
    let title = Title("page")
    private let table: DelegateTable
    private let dying: Gate
    private let pressed: Gate

    init(_ table: DelegateTable, dying: Gate, pressed: Gate) {
      self.table = table
      self.dying = dying
      self.pressed = pressed
    }

    override func actionSheet(_ sheet: ActionSheet, clickedButtonAt index: Int) { title.draw() }

    deinit {
      table.clear(ObjectIdentifier(self))
      // The moment of the race: destruction begins, and the other thread presses.
      dying.open()
      pressed.wait()
    }
  }

  static func parasite() {
    let gone = Gate(), pressed = Gate()
    let sheet = ActionSheet()
    let worker = Worker("presser") {
      gone.wait()
      sheet.press(1)
      pressed.open()
    }
    close(sheet, gone, pressed)
    worker.join()
    observe("the delegate is cleared", sheet.delegate == nil, is: true)
  }

  @inline(never) private static func close(_ sheet: ActionSheet, _ gone: Gate, _ pressed: Gate) {
    var page: Page? = Page()
    sheet.delegate = page
    page?.parasite.add(sheet)
    page?.parasite.hostIsGone = {
      gone.open()
      pressed.wait()
    }
    letGo(of: &page)  // <- page dies
  }

  static func table() {
    let dying = Gate(), pressed = Gate()
    let table = DelegateTable()
    let sheet = ActionSheet()
    let worker = Worker("presser") {
      dying.wait()
      table.press(sheet, 1)
      pressed.open()
    }
    open(sheet, table, dying, pressed)
    worker.join()
    observe("the delegate is cleared", sheet.delegate == nil, is: true)
  }

  @inline(never) private static func open(_ sheet: ActionSheet, _ table: DelegateTable, _ dying: Gate, _ pressed: Gate) {
    let page = ListedPage(table, dying: dying, pressed: pressed)
    table.set(sheet, delegate: page)
  }

  static let scenario = Scenario(
    "ParasiteRace", "A click from another thread, between a page's destruction and the clearing of the delegate",
    from: "delegate-dangling-pointer.txt", support: ["ParasiteRace+Page.swift"],
    variants: [
      Variant(
        "associated-parasite", "The click arrives when the page's parts are gone and its delegates are not cleared.",
        expect: [
          .found("use-after-free", "Title#1", lines: ["access": "click", "final-release": "page dies"]),
          .found("use-after-free", "Page#1", access: "retain"),
        ]
      ) { parasite() },
      Variant("locked-table", "The delegate is cleared before anything is destroyed.", expect: [.absent("use-after-free"), .live("ListedPage", count: 0)]) {
        table()
      },
    ])
}
