// class: Page
// kind: use-after-free
// An actor checks whether it has a page, awaits something, and then uses the page, which was closed meanwhile.
import Foundation
class Page { var visits = 0; func visit() { visits += 1 } }
actor Journal {
  private var lines = 0
  func note() { lines += 1 }
}
actor Browser {
  private let journal: Journal
  private var page: Page? = Page() // ALLOC
  init(_ journal: Journal) { self.journal = journal }
  @inline(never) func close() {
    page = nil // FREE
  }
  @inline(never) private func openPage() -> Unmanaged<Page>? { page.map { .passUnretained($0) } }
  func visit() async {
    #if CLEAN
    await journal.note()
    openPage()?._withUnsafeGuaranteedRef { $0.visit() }
    #else
    guard let current = openPage() else { return }
    await journal.note()
    current._withUnsafeGuaranteedRef { $0.visit() } // ACCESS
    #endif
  }
}
let browser = Browser(Journal())
let visits = Task.detached { for _ in 0..<5 { await browser.visit() } }
usleep(8000)
await browser.close() // FREE
await visits.value
print("end")
