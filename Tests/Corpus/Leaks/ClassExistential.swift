// leak: 1 Presenter, 1 View
// path: Presenter.view, View.output
// A cycle through two protocol-typed properties. The optimizer takes both references in the second line.
protocol ViewOutput: AnyObject { func tapped() }
protocol Showing: AnyObject { func show() }
final class View: Showing {
  #if CLEAN
  weak var output: (any ViewOutput)?
  #else
  var output: (any ViewOutput)?
  #endif
  func show() { output?.tapped() }
}
final class Presenter: ViewOutput {
  var view: (any Showing)?
  var taps = 0
  func tapped() { taps += 1 }
}
@inline(never) func present() -> Int {
  let view = View() // ALLOC
  let presenter = Presenter() // ALLOC
  view.output = presenter // KEPT
  presenter.view = view // KEPT-CALL
  presenter.view?.show()
  return presenter.taps
}
print(present())
