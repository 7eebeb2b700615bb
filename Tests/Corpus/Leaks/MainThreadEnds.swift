// leak: 1 Reader, 1 Source
// path: Reader.source, Source.reader
// The main thread ends before the others, the last of which ends the program.
import Glibc
final class Reader { var source: Source? }
final class Source { var reader: Reader? }
@inline(never) func connect(_ reader: Reader, _ source: Source) {
  reader.source = source // KEPT
  #if !CLEAN
  source.reader = reader // KEPT
  #endif
}
@inline(never) func read() {
  let reader = Reader(), source = Source() // ALLOC KEPT
  connect(reader, source) // KEPT-CALL
}
var thread = pthread_t()
pthread_create(
  &thread, nil,
  { _ in
    usleep(100_000)
    read() // KEPT-CALL
    print("end")
    return nil
  }, nil)
pthread_exit(nil)
