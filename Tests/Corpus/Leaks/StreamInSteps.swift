// leak: 1 Averager, 1 Sensor
// path: Averager.sensor, Sensor.continuation
// says: a task waiting at main.swift:18
// A task waits for a stream through map and filter, whose code comes first where the task resumes.
final class Sensor: @unchecked Sendable {
  let continuation: AsyncStream<Int>.Continuation
  let readings: AsyncStream<Int>
  init() { (readings, continuation) = AsyncStream.makeStream() }
  func publish(_ value: Int) { continuation.yield(value) }
  func close() { continuation.finish() }
}
actor Averager {
  let sensor: Sensor
  var sum = 0, worker: Task<Void, Never>?
  init(_ sensor: Sensor) { self.sensor = sensor }
  func start() {
    worker = Task {
      for await value in sensor.readings.map({ $0 * 2 }).filter({ $0 > 2 }) { add(value) } // KEPT
    }
  }
  func add(_ value: Int) { sum += value }
}
@inline(never) func work() async {
  let sensor = Sensor() // ALLOC
  let averager = Averager(sensor)
  await averager.start()
  for value in 1...3 { sensor.publish(value) }
  try? await Task.sleep(for: .milliseconds(20))
  print(await averager.sum)
  #if CLEAN
  sensor.close()
  await averager.worker?.value
  #endif
}
await work()
try? await Task.sleep(for: .milliseconds(20))
