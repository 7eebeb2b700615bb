// class: Ledger
// kind: use-after-free
// An actor's member is used through a pointer that was kept outside.
class Ledger { var entries = 1; func add() { entries += 1 } }
actor Book {
  private var ledger: Ledger? = nil
  @inline(never) func open() -> UInt {
    ledger = Ledger() // ALLOC
    return UInt(bitPattern: Unmanaged.passUnretained(ledger!).toOpaque())
  }
  @inline(never) func close() {
    ledger = nil // FREE
  }
}
@inline(never) func add(_ handle: UInt) {
  Unmanaged<Ledger>.fromOpaque(UnsafeRawPointer(bitPattern: handle)!).takeUnretainedValue().add() // ACCESS
}
let book = Book()
let handle = await book.open()
#if !CLEAN
await book.close() // FREE-CALL
#endif
add(handle)
await book.close()
print("end")
