import Testing

@testable import LifelineSymbolication

@Suite struct ShortNameTests {
  @Test("A demangled name becomes what a developer says", arguments: [
    ("App.FetchedResultsController.contextChanged(Foundation.Notification) -> ()", "FetchedResultsController.contextChanged(_:)"),
    ("App.Store.init(delegate: App.Delegate, count: Swift.Int) -> App.Store", "Store.init(delegate:count:)"),
    ("closure #1 (Foundation.Notification) -> () in App.Store.init(delegate: App.Delegate) -> App.Store", "closure #1 in Store.init(delegate:)"),
    ("App.Store.value.getter : Swift.Int", "Store.value.getter"),
    ("App.Store.__deallocating_deinit", "Store.__deallocating_deinit"),
    ("static App.Store.make<A where A: Swift.Hashable>(A) -> App.Store", "static Store.make(_:)"),
    ("(extension in Foundation):Swift.String.contains(Swift.String) -> Swift.Bool", "String.contains(_:)"),
    ("App.(Hidden in _0123456789ABCDEF0123456789ABCDEF).run() -> ()", "Hidden.run()"),
    ("generic specialization <Swift.Int> of Swift.Array.append(__owned A) -> ()", "Array.append(_:)"),
  ])
  func names(_ full: String, _ short: String) {
    #expect(ShortName(full).text == short)
  }
}
