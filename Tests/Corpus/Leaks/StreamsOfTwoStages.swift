// leak: 1 Filter, 1 Printer
// path:
// change: tasks that wait
// Two actors wait forever for streams that nobody finishes; one holds the other.
actor Filter {
  private let printer: Printer
  private let source: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var worker: Task<Void, Never>?
  init(_ printer: Printer) {
    self.printer = printer
    (source, input) = AsyncStream.makeStream()
  }
  func start() { worker = Task { for await number in source where number > 1 { await printer.take(number) } } } // KEPT
  func send(_ number: Int) { input.yield(number) }
  func finish() { input.finish() }
}
actor Printer {
  private let source: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var worker: Task<Void, Never>?
  private var total = 0
  init() { (source, input) = AsyncStream.makeStream() }
  func start() { worker = Task { for await number in source { total += number } } }
  func take(_ number: Int) { input.yield(number) }
  func finish() { input.finish() }
}
func run() async {
  let printer = Printer() // ALLOC
  let filter = Filter(printer) // ALLOC
  await printer.start()
  await filter.start()
  await filter.send(2)
  try? await Task.sleep(nanoseconds: 200_000_000)
  #if CLEAN
  await filter.finish()
  await printer.finish()
  try? await Task.sleep(nanoseconds: 200_000_000)
  #endif
}
await run()
try? await Task.sleep(nanoseconds: 200_000_000)
print("done")
