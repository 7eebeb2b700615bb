// class: Sample
// kind: use-after-free
// C writes to a field through an address that it got for a call that ended long ago.
import Glibc
final class Sample { var first: UInt64 = 1; var second: UInt64 = 2 }
final class Recorder { var sample: Sample? }
@inline(never) func begin(_ recorder: Recorder) -> UnsafeMutableRawPointer {
  recorder.sample = Sample() // ALLOC
  return Unmanaged.passUnretained(recorder.sample!).toOpaque() + 16
}
@inline(never) func end(_ recorder: Recorder) {
  recorder.sample = nil // FREE
}
@inline(never) func clear(_ field: UnsafeMutableRawPointer, _ count: Int) {
  memset(field, 0, count) // ACCESS
}
let recorder = Recorder()
let field = begin(recorder)
#if !CLEAN
end(recorder)
#endif
clear(field, CommandLine.arguments.count * 16) // ACCESS-CALL
end(recorder)
print("end")
