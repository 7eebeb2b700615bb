import LifelineTrace
import Testing

@testable import LifelineTesting

@Suite struct AddressLivesTests {
  private var lives = AddressLives()

  @Test("An object lives until it is freed, and its address can be reused")
  mutating func oneStream() {
    take(.allocate, 0x10, 1)
    #expect(lives[0x10] != nil)
    take(.free, 0x10, 1)
    #expect(lives[0x10] == nil)
    take(.allocate, 0x10, 1)
    #expect(Array(lives.live).count == 1)
  }

  @Test("A final release ends a lifetime; another release does not")
  mutating func releases() {
    take(.allocate, 0x10, 1)
    take(.release, 0x10, 2, count: 1)
    #expect(lives[0x10] != nil)
    take(.release, 0x10, 3, count: 0)
    #expect(lives[0x10] == nil)
  }

  @Test("An end read before its allocation is remembered until the allocation is read")
  mutating func endFirst() {
    take(.free, 0x10, 7, stream: 2)
    lives.endLook()
    take(.allocate, 0x10, 5, stream: 1)
    #expect(lives[0x10] == nil)
  }

  @Test("A later allocation on another thread is live even if an older object's end was read first")
  mutating func bornAgain() {
    take(.free, 0x10, 7, stream: 2)
    take(.allocate, 0x10, 9, stream: 1)
    #expect(lives[0x10] != nil)
    take(.free, 0x10, 8, stream: 3)
    #expect(lives[0x10] != nil)
  }

  @Test("Ended objects are forgotten after the next look")
  mutating func forgets() {
    take(.allocate, 0x10, 1)
    take(.free, 0x10, 2)
    lives.endLook()
    #expect(lives.count == 1)
    lives.endLook()
    #expect(lives.count == 0)
  }

  @Test("A scope's number goes to the object that its stream allocated last")
  mutating func numbers() {
    take(.allocate, 0x10, 1, stream: 1)
    take(.allocate, 0x20, 1, stream: 2)
    take(.cause, 0, 1, stream: 1, 5)
    take(.release, 0x20, 2, stream: 2, count: 1)
    take(.cause, 0, 2, stream: 2, 6)
    #expect(lives[0x10]?.number == 5)
    #expect(lives[0x20]?.number == 0)
  }

  @Test("An object belongs to the spans that its thread was in")
  mutating func stretches() throws {
    take(.span, 0, 1, 0, 70)
    take(.span, 0, 2, 0, 71)
    take(.allocate, 0x10, 3)
    take(.span, 0, 4, 0, 71)
    take(.allocate, 0x20, 5)
    #expect(lives.isOver(span: 71))
    #expect(!lives.isOver(span: 70))
    #expect(!lives.isOver(span: 72))
    let inner = try #require(lives[0x10]), outer = try #require(lives[0x20])
    #expect(lives.isPart(inner, of: 71))
    #expect(lives.isPart(inner, of: 70))
    #expect(!lives.isPart(outer, of: 71))
  }

  @Test("A problem caught by the recorder is known")
  mutating func caught() {
    #expect(!lives.hasCaught)
    take(.useAfterFree, 0x10, 1)
    #expect(lives.hasCaught)
  }

  private mutating func take(
    _ kind: EventKind, _ object: UInt64, _ clock: UInt64, stream: UInt32 = 1, count: Int64 = -1,
    _ argument0: UInt64 = 0, _ argument1: UInt64 = 0
  ) {
    var event = Event()
    event.kind = kind
    event.object = object
    event.clock = clock
    event.count = count
    event.thread = stream
    event.argument0 = argument0
    event.argument1 = argument1
    lives.take(event, stream: stream)
  }
}
