// object: Document#1
// A method makes a checker with an unowned reference to the document that it holds, closes the document, and then
// lets the checker read it.
final class Document { var words = ["a", "b", "c"]; @inline(never) func count() -> Int { words.count } }
final class Checker {
  unowned let document: Document
  init(_ document: Document) { self.document = document }
  @inline(never) func check() -> Int { document.count() }
}
final class Editor {
  var open: Document? = Document()
  @inline(never) func close() { open = nil }
  @inline(never) func finish() -> Int {
    let document = open!
    let checker = Checker(document)
    close()
    let found = checker.check()
    return found + withExtendedLifetime(document) { 1 }
  }
}
print("end", Editor().finish())
