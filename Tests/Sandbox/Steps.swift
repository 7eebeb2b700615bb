// Counts its operations in a file, so that Scripts/prove-commit knows at each instruction what a trace must contain.
//
//   Steps FILE BEFORE SCENE      stops itself after BEFORE operations and after every 64 more, endlessly
//
// FILE holds four numbers: references begun and done, objects begun and done. Scenes: events; classes, where each round
// uses a new class.
import Glibc

final class Thing {}
final class Short {}
final class Generic<T> { let value = 1 }
struct Tag<T> {}

typealias Function = @convention(c) (UnsafeMutableRawPointer) -> Void
nonisolated(unsafe) let retain = unsafeBitCast(dlsym(nil, "swift_retain"), to: Function.self)
nonisolated(unsafe) let release = unsafeBitCast(dlsym(nil, "swift_release"), to: Function.self)

let file = open(CommandLine.arguments[1], O_RDWR | O_CREAT, 0o600)
ftruncate(file, 4096)
let counters = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!.assumingMemoryBound(to: UInt64.self)
let before = UInt64(CommandLine.arguments[2])!
let meetsClasses = CommandLine.arguments[3] == "classes"
let thing = Unmanaged.passRetained(Thing()).toOpaque()

@inline(never) func short() -> Short { Short() }
@inline(never) func round<T>(_ type: T.Type, _ depth: Int) {
  for number in 0..<(meetsClasses ? 8 : Int.max) {
    if counters[0] >= before && counters[0] % 64 == 0 { raise(SIGSTOP) }
    counters[0] += 1
    retain(thing)
    counters[1] += 1
    counters[0] += 1
    release(thing)
    counters[1] += 1
    if number % 8 == 0 {
      counters[2] += 1
      _ = short()
      counters[3] += 1
    }
  }
  _ = Generic<T>()
  if depth > 0 { round(Tag<T>.self, depth - 1) }
}
while true { round(Int.self, 200) }
