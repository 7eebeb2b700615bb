// Counts its own operations in a file that outlives it, so that what a trace of it must contain is known however it died.
//
// usage: killed FILE THREADS
//
// FILE holds 64 bytes for each thread, u64: references begun, references done, objects begun, objects done. An operation
// on a reference is one call of swift_retain or swift_release, so one event.
import Glibc

class Thing {}
final class Thing0: Thing {}
final class Thing1: Thing {}
final class Thing2: Thing {}
final class Thing3: Thing {}
class Short {}
final class Short0: Short {}
final class Short1: Short {}
final class Short2: Short {}
final class Short3: Short {}

typealias Function = @convention(c) (UnsafeMutableRawPointer) -> Void
nonisolated(unsafe) let retain = unsafeBitCast(dlsym(nil, "swift_retain"), to: Function.self)
nonisolated(unsafe) let release = unsafeBitCast(dlsym(nil, "swift_release"), to: Function.self)

func thing(_ thread: Int) -> Thing {
  switch thread {
  case 0: Thing0()
  case 1: Thing1()
  case 2: Thing2()
  default: Thing3()
  }
}

@inline(never) func short(_ thread: Int) -> Short {
  switch thread {
  case 0: Short0()
  case 1: Short1()
  case 2: Short2()
  default: Short3()
  }
}

let threads = Int(CommandLine.arguments[2])!
let file = open(CommandLine.arguments[1], O_RDWR | O_CREAT, 0o600)
ftruncate(file, 4096)
nonisolated(unsafe) let counters = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!.assumingMemoryBound(to: UInt64.self)
nonisolated(unsafe) let things = (0..<threads).map { Unmanaged.passRetained(thing($0)).toOpaque() }

func work(_ thread: Int) {
  let counter = counters + 8 * thread
  for round in 0... {
    counter[0] += 1
    retain(things[thread])
    counter[1] += 1
    counter[0] += 1
    release(things[thread])
    counter[1] += 1
    if round % 8 == 0 {
      counter[2] += 1
      _ = short(thread)
      counter[3] += 1
    }
  }
}

for thread in 1..<threads {
  var handle = pthread_t()
  let number = UnsafeMutableRawPointer(bitPattern: thread)!
  pthread_create(&handle, nil, { work(Int(bitPattern: $0!)); return nil }, number)
}
work(0)
