// An object that was retained manually and is only known by its identifier can still be released.
final class Session { var number = 7 }
final class Table { var open: Set<ObjectIdentifier> = [] }
let table = Table()
@inline(never) func begin() {
  table.open.insert(ObjectIdentifier(Unmanaged.passRetained(Session()).takeUnretainedValue()))
}
@inline(never) func end() -> Int {
  table.open.reduce(0) { sum, id in
    let session = Unmanaged<Session>.fromOpaque(UnsafeRawPointer(bitPattern: UInt(bitPattern: id))!)
    return sum + session.takeUnretainedValue().number
  }
}
begin()
print(end())
