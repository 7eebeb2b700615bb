// leak: 1 Texture
// path:
// why: passRetained
// A retained reference is kept as an integer, as in tables of handles, and the table is emptied.
final class Texture { var size = 64 }
final class Handles { var table: [UInt] = [] }
@inline(never) func load(_ handles: Handles) {
  let texture = Texture() // ALLOC
  handles.table.append(UInt(bitPattern: Unmanaged.passRetained(texture).toOpaque())) // KEPT
}
@inline(never) func unload(_ handles: Handles) {
  #if CLEAN
  for handle in handles.table { Unmanaged<Texture>.fromOpaque(UnsafeRawPointer(bitPattern: handle)!).release() }
  #endif
  handles.table = []
}
let handles = Handles()
load(handles) // KEPT-CALL
unload(handles)
print("end")
