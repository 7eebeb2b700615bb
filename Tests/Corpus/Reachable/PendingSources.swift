// Sources that wait for descriptors and signals, each held by its handler's captures.
import Foundation
final class Reader: @unchecked Sendable { var source: DispatchSourceProtocol?; var bytes = 0; var handle: FileHandle? }
nonisolated(unsafe) var ends: [Int32] = [0, 0]
@inline(never) func listen() {
  let reader = Reader()
  let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
  source.setEventHandler { reader.bytes += 1 }
  source.resume()
  reader.source = source
  let signals = Reader()
  let signal = DispatchSource.makeSignalSource(signal: SIGUSR2, queue: .global())
  signal.setEventHandler { signals.bytes += 1 }
  signal.resume()
  signals.source = signal
}
pipe(&ends)
listen()
usleep(20_000)
print("end")
