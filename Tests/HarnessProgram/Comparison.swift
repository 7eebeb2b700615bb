import Foundation
import Lifeline

@_silgen_name("swift_retainCount") func retainCount(_ object: UnsafeMutableRawPointer) -> Int
@_silgen_name("swift_unownedRetainCount") func unownedCount(_ object: UnsafeMutableRawPointer) -> Int
@_silgen_name("swift_weakRetainCount") func weakCount(_ object: UnsafeMutableRawPointer) -> Int

protocol Marked: AnyObject { var mark: Int { get } }
final class Subject: Marked {
  let mark: Int
  init(_ mark: Int) { self.mark = mark }
}

protocol Holding: AnyObject {
  init()
  var strong: Subject? { get set }
  var weakly: Subject? { get set }
  var unownedly: Subject? { get set }
  var unsafely: Subject? { get set }
  var protocolStrong: (any Marked)? { get set }
  var protocolWeak: (any Marked)? { get set }
  var unmanaged: any UnmanagedList { get set }
}

/// References with manual counting.
protocol UnmanagedList {
  var marks: [Int] { get }
  mutating func keep(_ subject: Subject)
  /// Retains once more through the newest reference.
  mutating func keepAgain()
  mutating func takeBack() -> Subject?
  mutating func giveUp()
}

final class PlainHolder: Holding {
  var strong: Subject?
  weak var weakly: Subject?
  unowned var unownedly: Subject?
  unowned(unsafe) var unsafely: Subject?
  var protocolStrong: (any Marked)?
  weak var protocolWeak: (any Marked)?
  var unmanaged: any UnmanagedList = PlainUnmanaged()
  deinit { while !unmanaged.marks.isEmpty { unmanaged.giveUp() } }
}

final class TrackedHolder: Holding {
  @TrackedStrong var strong: Subject? = nil
  @TrackedWeak var weakly: Subject?
  @TrackedUnowned var unownedly: Subject? = nil
  @TrackedUnownedUnsafe var unsafely: Subject? = nil
  @TrackedStrong var protocolStrong: (any Marked)? = nil
  @TrackedWeak var protocolWeak: (any Marked)?
  var unmanaged: any UnmanagedList = TrackedUnmanagedList()
  deinit { while !unmanaged.marks.isEmpty { unmanaged.giveUp() } }
}

struct PlainUnmanaged: UnmanagedList {
  private var list: [Unmanaged<Subject>] = []
  var marks: [Int] { list.map { $0.takeUnretainedValue().mark } }
  mutating func keep(_ subject: Subject) { list.append(.passRetained(subject)) }
  mutating func keepAgain() {
    guard let last = list.last else { return }
    list.append(.fromOpaque(last.retain().toOpaque()))
  }
  mutating func takeBack() -> Subject? { list.popLast()?.takeRetainedValue() }
  mutating func giveUp() { list.popLast()?.release() }
}

struct TrackedUnmanagedList: UnmanagedList {
  private var list: [TrackedUnmanaged<Subject>] = []
  var marks: [Int] { list.map { $0.takeUnretainedValue().mark } }
  mutating func keep(_ subject: Subject) { list.append(.passRetained(subject)) }
  mutating func keepAgain() {
    guard let last = list.last else { return }
    list.append(.fromOpaque(last.retain().toOpaque()))
  }
  mutating func takeBack() -> Subject? { list.popLast()?.takeRetainedValue() }
  mutating func giveUp() { list.popLast()?.release() }
}

/// The same random assignments, copies and drops on plain and on tracked references: counts and nil references must be
/// equal after every step.
enum Comparison {
  static func run(sequences: Int, threads: Int) {
    let failures = Counter()
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for sequence in stride(from: thread, to: sequences, by: threads) {
        var plain = World<PlainHolder>(seed: UInt64(sequence)), tracked = World<TrackedHolder>(seed: UInt64(sequence))
        for step in 0..<30 {
          plain.step()
          tracked.step()
          let (a, b) = (plain.state, tracked.state)
          if a != b {
            failures.add("sequence \(sequence), step \(step): plain \(a), tracked \(b)")
            break
          }
        }
      }
    }
    failures.report(sequences)
  }
}

struct World<Holder: Holding> {
  private var generator: Generator
  private var holders: [Holder] = [Holder(), Holder(), Holder()]
  /// Keeps dead objects' memory so that their counts can be read.
  private var subjects: [Subject?] = [Subject(0), Subject(1), Subject(2)]

  init(seed: UInt64) { generator = Generator(state: seed &+ 1) }

  mutating func step() {
    let from = holders[generator.next(3)], to = holders[generator.next(3)], index = generator.next(3)
    switch generator.next(17) {
    case 0: to.strong = subjects[index]
    case 1: to.weakly = subjects[index]
    case 2: to.unownedly = subjects[index]
    case 3: to.unsafely = subjects[index]
    case 4: to.strong = from.weakly
    case 5: to.weakly = from.strong
    case 6: to.protocolStrong = from.strong
    case 7: to.protocolWeak = from.protocolStrong
    case 8: to.strong = nil
    case 9: to.weakly = nil
    case 10:
      to.unownedly = nil
      to.unsafely = nil
    case 11: if let subject = subjects[index] { to.unmanaged.keep(subject) }
    case 12: to.unmanaged.keepAgain()
    case 13: to.strong = from.unmanaged.takeBack()
    case 14: to.unmanaged.giveUp()
    default:
      // Unowned references must not outlive their object here, because reading one would rightly stop the program.
      for holder in holders where holder.unownedly === subjects[index] { holder.unownedly = nil }
      for holder in holders where holder.unsafely === subjects[index] { holder.unsafely = nil }
      for holder in holders where holder.protocolStrong === subjects[index] { holder.protocolStrong = nil }
      for holder in holders where holder.strong === subjects[index] { holder.strong = nil }
      subjects[index] = generator.next(2) == 0 ? nil : Subject(index)
    }
  }

  /// Each subject's count, and the value of each reference.
  var state: [Int] {
    var state: [Int] = []
    for subject in subjects {
      guard let subject else {
        state.append(-1)
        continue
      }
      let pointer = Unmanaged.passUnretained(subject).toOpaque()
      state += [retainCount(pointer), unownedCount(pointer), weakCount(pointer)]
    }
    for holder in holders {
      state += [holder.strong, holder.weakly, holder.unownedly, holder.unsafely].map { $0?.mark ?? -1 }
      state += [holder.protocolStrong, holder.protocolWeak].map { $0?.mark ?? -1 }
      state += holder.unmanaged.marks
    }
    return state
  }
}

struct Generator {
  var state: UInt64
  /// SplitMix64.
  mutating func next(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(limit))
  }
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []
  func add(_ text: String) { lock.withLock { texts.append(text) } }
  func report(_ sequences: Int) {
    texts.prefix(5).forEach { print($0) }
    print("\(sequences) sequences, \(texts.count) differences")
  }
}
