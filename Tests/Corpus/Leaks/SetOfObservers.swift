// leak: 1 Source, 2 Listener
// path: Source.listeners, Listener.source
// A cycle through the storage of a set.
final class Source { var listeners: Set<Listener> = [] }
final class Listener: Hashable {
  #if CLEAN
  weak var source: Source?
  #else
  var source: Source?
  #endif
  let name: Int
  init(_ name: Int) { self.name = name }
  static func == (a: Listener, b: Listener) -> Bool { a.name == b.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
@inline(never) func listen() -> Int {
  let source = Source() // ALLOC
  for name in 0..<2 {
    let listener = Listener(name) // ALLOC
    listener.source = source // KEPT
    source.listeners.insert(listener)
  }
  return source.listeners.count
}
print(listen())
