// class: Screen
// kind: use-after-free
// A delegate behind a protocol is freed before the object that messages it.
protocol LoaderDelegate: AnyObject { func loaderDidFinish(_ count: Int) }
final class Loader {
  unowned(unsafe) var delegate: any LoaderDelegate
  init(_ delegate: any LoaderDelegate) { self.delegate = delegate }
  @inline(never) func finish() {
    delegate.loaderDidFinish(3) // ACCESS
  }
}
final class Screen: LoaderDelegate {
  var rows = 0
  func loaderDidFinish(_ count: Int) { rows += count }
}
final class App {
  var screen: Screen?
  @inline(never) func open() -> Loader {
    screen = Screen() // ALLOC
    return Loader(screen!)
  }
  @inline(never) func close() {
    screen = nil // FREE
  }
}
let app = App()
let loader = app.open()
#if !CLEAN
app.close()
#endif
loader.finish()
app.close()
print("end")
