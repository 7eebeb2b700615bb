/// Growing memory for trivial values that are used at every event; its owner must deallocate it.
struct GrowingBuffer<Element> {
  private var base: UnsafeMutablePointer<Element>
  private var capacity = 64
  private(set) var count = 0

  init() {
    precondition(_isPOD(Element.self), "Elements are moved as bytes and never deinitialized.")
    base = .allocate(capacity: capacity)
  }

  func deallocate() { base.deallocate() }

  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress { UnsafePointer(base + index) }
    @inline(__always) nonmutating unsafeMutableAddress { base + index }
  }

  mutating func append(_ element: Element) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
      base = larger
      capacity *= 2
    }
    (base + count).initialize(to: element)
    count += 1
  }
}
