@testable import LifelineHeap
import Testing

@testable import LifelineTesting

/// The offsets of a class's references, from the runtime of this process.
@Suite struct PropertyLayoutTests {
  class Base { var first: Base? }

  struct Pair {
    weak var weakly: Base?
    var strongly: Base?
    var number = 1
  }

  final class Derived: Base {
    unowned(unsafe) var owner: Base
    var pair = Pair()
    lazy var made = Base()
    var count = 7
    var flag = false
    var last: [Base] = []
    init(_ owner: Base) { self.owner = owner }
  }

  private func fields(of type: Any.Type) -> [HeapField] {
    PropertyLayout.fields(of: UInt64(UInt(bitPattern: unsafeBitCast(type, to: Int.self))))
  }

  @Test("Superclass properties come first, and parts of structs have the property's name and their own ownership")
  func derived() {
    let fields = fields(of: Derived.self)
    #expect(fields.map(\.offset) == fields.map(\.offset).sorted())
    #expect(fields.map(\.name).filter { $0 != "pair" } == ["first", "owner", "made", "count", "flag", "last"])
    #expect(
      fields.filter { $0.name == "pair" }.map { "\($0.ownership) \($0.content)" } == [
        "weak anything", "strong anything", "strong number",
      ])
    #expect(fields.first { $0.name == "owner" }?.ownership == .weak, "the runtime only says that it is not strong")
    #expect(fields.filter { $0.content == .number }.map(\.name) == ["pair", "count", "flag"])
  }

  @Test("An object's parts follow its header in order and end at the instance size")
  func sizes() {
    let fields = fields(of: Derived.self)
    #expect(fields.first?.offset == 16)
    for (field, next) in zip(fields, fields.dropFirst()) { #expect(field.offset + field.size <= next.offset) }
    #expect(fields.last.map { $0.offset + $0.size } == instanceSize(Derived.self))
  }

  @Test("A class without properties has none")
  func empty() {
    final class Empty {}
    #expect(fields(of: Empty.self) == [])
  }

  /// The size in the class's metadata.
  private func instanceSize(_ type: AnyClass) -> Int {
    Int(UnsafeRawPointer(bitPattern: unsafeBitCast(type, to: Int.self))!.load(fromByteOffset: 24, as: UInt32.self))
  }
}
