import CLifelineFormat

/// Encodes the events of one stream from lifeline_event.h, independently of the recorder.
public struct StreamBuilder {
  public let number: UInt32
  public let thread: UInt32
  public private(set) var events: UInt32 = 0
  public private(set) var bytes: [UInt8] = []
  public private(set) var lastClock: UInt64
  let firstClock: UInt64
  private var lastObject: UInt64 = 0
  private var slots: [Int: (address: UInt64, count: UInt64)] = [:]
  private var stack: [UInt64] = []
  private var sites: [UInt64: UInt64] = [:]
  private var lastSite: UInt64 = 0
  private var lastKind: UInt8 = 0
  private var changes: [UInt32: Change] = [:]

  private struct Change: Equatable {
    let pops: Int
    let pushed: [UInt64]
  }

  public init(number: UInt32, thread: UInt32, clock: UInt64) {
    self.number = number
    self.thread = thread
    firstClock = clock
    lastClock = clock
  }

  /// Adds an event. `at` has return addresses, outermost first; with `time` nil the time is omitted.
  public mutating func add(
    _ kind: UInt8, _ object: UInt64 = 0, count: Int64? = nil, at: [UInt64] = [], time: UInt64? = nil,
    arguments: [UInt64] = []
  ) {
    let info = lifeline_kind(UInt32(kind))
    var tag: UInt8 = kind < 15 ? kind : 15
    var body: [UInt8] = kind < 15 ? [] : [kind]
    if let time {
      tag |= 0x10
      body += Self.varint(time - lastClock)
      lastClock = time
    }
    let slot = Int(lifeline_object_slot(object))
    let known = slots[slot].map { $0.address == object } ?? false
    if info.has_object != 0 {
      if object == lastObject {
        tag |= 0x20
      } else if known {
        body.append(UInt8(slot))
      } else {
        let value = Self.zigzag(Int64(bitPattern: object &- lastObject) / 8)
        body.append(0x80 | UInt8(value & 63) | (value > 63 ? 0x40 : 0))
        if value > 63 { body += Self.varint(value >> 6) }
      }
      var next = known ? slots[slot]!.count : 0
      if info.has_count != 0 {
        let change: Int64 =
          switch kind {
          case 1: 1
          case 2: -1
          case 6: Int64(truncatingIfNeeded: arguments[0])
          case 7: 0 &- Int64(truncatingIfNeeded: arguments[0])
          default: 0
          }
        next = next &+ UInt64(bitPattern: change)
        let written = count.map { UInt64(bitPattern: $0) &+ 1 } ?? 0
        if written != next &+ 1 {
          tag |= 0x40
          body += Self.varint(written)
          next = written == 0 ? 0 : written - 1
        }
      }
      slots[slot] = (object, next)
      lastObject = object
    }
    for argument in arguments { body += Self.varint(argument) }
    if kind == 19 { stack = [] }
    let words = at.map { $0 <= 8 ? $0 : $0 << 2 }
    if let change = unpredictedChange(to: words) {
      tag |= 0x80
      body += change
    }
    lastKind = kind
    bytes += [tag] + body
    events += 1
  }

  /// The thread runs a task (kind 30) or a queue's code (kind 33) from here on.
  public mutating func run(_ kind: UInt8, _ number: UInt64) {
    bytes += [15, kind] + Self.varint(number)
    events += 1
  }

  /// The bytes of a backtrace change; nil if a reader predicts it.
  private mutating func unpredictedChange(to words: [UInt64]) -> [UInt8]? {
    var common = 0
    while common < min(words.count, stack.count), words[common] == stack[common] { common += 1 }
    let change = Change(pops: stack.count - common, pushed: Array(words[common...]))
    if let innermost = stack.last {
      let entry = lifeline_prediction_slot(
        lifeline_prediction_context(innermost, stack.dropLast().last ?? 0), UInt32(lastKind))
      if changes[entry, default: Change(pops: 0, pushed: [])] == change {
        stack = words
        return nil
      }
      if change.pushed.count <= Int(LIFELINE_PREDICTED_SITES) { changes[entry] = change }
    } else if words.isEmpty {
      return nil
    }
    return bytes(of: change.pops, change.pushed.count, words, common)
  }

  private mutating func bytes(of pops: Int, _ pushes: Int, _ words: [UInt64], _ common: Int) -> [UInt8] {
    var result = [UInt8(min(pops, 15) << 4 | min(pushes, 15))]
    if pops >= 15 { result += Self.varint(UInt64(pops)) }
    if pushes >= 15 { result += Self.varint(UInt64(pushes)) }
    for word in words[common...] {
      if let known = sites[word] {
        result += Self.varint(known)
      } else {
        sites[word] = UInt64(sites.count + 1)
        result += [0] + Self.varint(Self.zigzag(Int64(bitPattern: word &- lastSite)))
        lastSite = word
      }
    }
    stack = words
    return result
  }

  static func varint(_ value: UInt64) -> [UInt8] {
    var value = value
    var result: [UInt8] = []
    while value >= 0x80 {
      result.append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    return result + [UInt8(value)]
  }

  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
}
