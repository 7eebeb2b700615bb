// leak: 1 Tab, 1 Page, 1 Menu, 1 Entry
// findings: 2
// path: Tab.page, Page.tab, Menu.entry, Entry.menu
// Two unrelated cycles are two findings.
final class Tab { var page: Page? }
final class Page { var tab: Tab? }
final class Menu { var entry: Entry? }
final class Entry { var menu: Menu? }
@inline(never) func browse() -> Bool {
  let tab = Tab(), page = Page() // ALLOC
  tab.page = page
  #if !CLEAN
  page.tab = tab // KEPT
  #endif
  return tab.page === page
}
@inline(never) func order() -> Bool {
  let menu = Menu(), entry = Entry() // ALLOC
  menu.entry = entry
  #if !CLEAN
  entry.menu = menu // KEPT
  #endif
  return menu.entry === entry
}
print(browse(), order()) // KEPT-CALL
