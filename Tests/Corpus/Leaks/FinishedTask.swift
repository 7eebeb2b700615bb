// leak: 1 Loader, 1 Image
// path: Loader.tasks, Image.loader
// change: Make Image.loader weak or unowned
// says: → a task →
// A task that has finished keeps its result as long as its handle is kept.
final class Image: Sendable {
  #if CLEAN
  unowned let loader: Loader
  #else
  let loader: Loader
  #endif
  let size: Int
  init(_ loader: Loader, _ size: Int) { self.loader = loader; self.size = size } // KEPT
}
actor Loader {
  private var tasks: [String: Task<Image, Never>] = [:]
  func load(_ name: String) async -> Int {
    if let task = tasks[name] { return await task.value.size }
    let task = Task { Image(self, name.count) } // ALLOC KEPT
    tasks[name] = task // KEPT
    return await task.value.size
  }
}
@inline(never) func run() async -> Int {
  let loader = Loader() // ALLOC
  return await loader.load("cat") + loader.load("cat") // KEPT-CALL
}
print(await run())
