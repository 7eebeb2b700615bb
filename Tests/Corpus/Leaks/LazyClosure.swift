// leak: 1 Element
// path: Element.text, closure
// A lazy property's closure captures self, and is kept.
final class Element {
  let name: String
  init(_ name: String) { self.name = name }
  #if CLEAN
  lazy var text: () -> String = { [unowned self] in "<\(self.name)>" }
  #else
  lazy var text: () -> String = { "<\(self.name)>" } // KEPT
  #endif
}
@inline(never) func render() -> String {
  let element = Element("p") // ALLOC
  return element.text() // KEPT-CALL
}
print(render())
