// object: Refresh#1
// verdict: late
// rule: run-loop
// finding: none
// A block for the run loop's next turn keeps what its owner has released.
import Foundation
final class Refresh { var count = 0; func run() { count += 1 } }
final class Page { var refresh: Refresh? = Refresh() }
@inline(never) func plan(_ page: Page) {
  let refresh = page.refresh!
  RunLoop.main.perform { refresh.run() }
}
@inline(never) func leave(_ page: Page) {
  page.refresh = nil // OWNER
}
let page = Page()
plan(page)
leave(page)
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
print("end")
