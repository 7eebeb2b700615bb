// C code keeps only the address of a field in the middle of an object, or of an element.
import Glibc
final class Matrix { var rows = 2, columns = 2; var a = 1.0, b = 2.0, c = 3.0, d = 4.0 }
final class Tail: ManagedBuffer<Int, Matrix> {}
nonisolated(unsafe) let inner = malloc(64)!.bindMemory(to: UnsafeMutableRawPointer.self, capacity: 8)
@inline(never) func keep() {
  inner[0] = Unmanaged.passRetained(Matrix()).toOpaque() + 32
  inner[1] = Unmanaged.passRetained(Matrix()).toOpaque() + 63
  let tail = unsafeDowncast(Tail.create(minimumCapacity: 100) { _ in 100 }, to: Tail.self)
  tail.withUnsafeMutablePointerToElements { $0.initialize(repeating: Matrix(), count: 100) }
  inner[2] = Unmanaged.passRetained(tail).toOpaque() + 500
}
keep()
print("end")
