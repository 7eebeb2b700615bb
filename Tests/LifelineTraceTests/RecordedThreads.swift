import LifelineTraceBuilder

/// Threads that retain and release a few shared objects, each with a constant clock offset, recorded as the probe does:
/// a time only if the count does not follow from the thread's own last event, and at every sixteenth event. A thread
/// may be interrupted between a count and its time.
struct RecordedThreads {
  private struct Step {
    let kind: UInt8
    let object: UInt64
    let count: Int64
    let time: UInt64?
  }

  private var random: SeededGenerator
  private let errors: [UInt64]
  private let objects: [UInt64]
  private var steps: [[Step]]
  private var held: [[Int]]
  private var known: [[Int64]]
  private var untimed: [Int]
  private var counts: [Int64]
  private var now: UInt64 = 100_000
  private var resumes: [UInt64]
  private let interruption: Interruption?

  /// One step in `steps` is followed by a pause of at most `ticks`.
  struct Interruption {
    let steps: Int
    let ticks: UInt64
  }

  init(
    seed: UInt64, interruption: Interruption? = nil, threads: ClosedRange<Int> = 2...5,
    objects: ClosedRange<Int> = 1...8
  ) {
    self.interruption = interruption
    random = SeededGenerator(seed: seed)
    let threads = Int.random(in: threads, using: &random)
    let skew: UInt64 = [0, 20, 400][Int(seed % 3)]
    var errors: [UInt64] = []
    for _ in 0..<threads { errors.append(UInt64.random(in: 0...skew, using: &random)) }
    self.errors = errors
    self.objects = (0..<Int.random(in: objects, using: &random)).map { 0x5000 + UInt64($0) * 64 }
    steps = Array(repeating: [], count: threads)
    held = Array(repeating: Array(repeating: 0, count: self.objects.count), count: threads)
    known = Array(repeating: Array(repeating: -1, count: self.objects.count), count: threads)
    untimed = Array(repeating: 16, count: threads)
    counts = Array(repeating: 1, count: self.objects.count)
    resumes = Array(repeating: 0, count: threads)
  }

  mutating func step() {
    now += UInt64.random(in: 1...30, using: &random)
    if resumes.allSatisfy({ $0 > now }) { now = resumes.min()! }
    let thread = steps.indices.filter { resumes[$0] <= now }.randomElement(using: &random)!
    let object = objects.indices.randomElement(using: &random)!
    let isRetain = held[thread][object] == 0 || held[thread][object] < 4 && Bool.random(using: &random)
    let before = counts[object]
    counts[object] += isRetain ? 1 : -1
    held[thread][object] += isRetain ? 1 : -1
    untimed[thread] += 1
    let isTimed = known[thread][object] != before || untimed[thread] >= 16
    if isTimed { untimed[thread] = 0 }
    known[thread][object] = counts[object]
    if let interruption, Int.random(in: 0..<interruption.steps, using: &random) == 0 {
      resumes[thread] = now + .random(in: 0...interruption.ticks, using: &random)
    }
    steps[thread].append(
      Step(
        kind: isRetain ? 1 : 2, object: objects[object], count: counts[object],
        time: isTimed ? max(now, resumes[thread]) + errors[thread] : nil))
  }

  /// Each event's only site is its position among its thread's events.
  var builder: TraceBuilder {
    var builder = TraceBuilder()
    for (thread, steps) in steps.enumerated() {
      for start in stride(from: 0, to: steps.count, by: 1000) {
        let part = steps[start..<min(start + 1000, steps.count)]
        let clock = steps[...start].lazy.compactMap(\.time).last
        builder.addEvents(stream: UInt32(thread + 1), thread: UInt32(thread + 1), clock: clock ?? 0) { stream in
          for (index, step) in part.enumerated() {
            stream.add(
              step.kind, step.object, count: step.count, at: [UInt64(start + index) + 0x10_0000], time: step.time)
          }
        }
      }
    }
    return builder
  }
}
