// Programs of an interpreter, and messages: arrays of small numbers in which pointers begin at any byte.
import Glibc
final class Constant { let number: Int; init(_ number: Int) { self.number = number } }
nonisolated(unsafe) var code: [UInt32] = []
nonisolated(unsafe) var message: [UInt8] = []
nonisolated(unsafe) var table: ContiguousArray<UInt16> = []
@inline(never) func retained(_ number: Int) -> UInt {
  UInt(bitPattern: Unmanaged.passRetained(Constant(number)).toOpaque())
}
@inline(never) func fill() {
  for number in 0..<5 {
    let constant = retained(number)
    code += [1, UInt32(truncatingIfNeeded: constant), UInt32(truncatingIfNeeded: constant >> 32)]
    message.append(2)
    withUnsafeBytes(of: retained(number)) { message.append(contentsOf: $0) }
    table.append(3)
    let other = retained(number)
    for shift in stride(from: 0, to: 64, by: 16) { table.append(UInt16(truncatingIfNeeded: other >> UInt(shift))) }
  }
}
@inline(never) func constant(_ bits: UInt) -> Constant {
  Unmanaged<Constant>.fromOpaque(UnsafeRawPointer(bitPattern: bits)!).takeUnretainedValue()
}
fill()
let last = message.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 37, as: UInt.self) }
print(constant(UInt(code[14]) << 32 | UInt(code[13])).number, constant(last).number, table.count)
