// leak: 1 Loader
// path: Loader.load
// A stored asynchronous closure captures its owner.
final class Loader: @unchecked Sendable {
  var load: (@Sendable () async -> Int)?
  var pages = 1
  func prepare() {
    #if CLEAN
    load = { [weak self] in self?.pages ?? 0 }
    #else
    load = { self.pages } // KEPT
    #endif
  }
}
@inline(never) func run() async -> Int {
  let loader = Loader() // ALLOC
  loader.prepare() // KEPT-CALL
  return await loader.load!()
}
print(await run())
