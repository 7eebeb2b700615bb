import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ReferenceMoveTests {
  private static let source = """
    final class Node {
      let number: Int
      var next: Node?
      var previous: Node?
      init(_ number: Int) { self.number = number }
    }
    final class Owner {
      let node: Node
      init(_ node: Node) { self.node = node }
    }
    final class Pair {
      var left: Node?
      var right: Node?
      let inner: Pair?
      init(_ inner: Pair?) { self.inner = inner }
      @inline(never) func clear() { right = nil }
      @inline(never) func clearInner() { inner!.right = nil }
    }
    struct Chain { var first: Node? }
    @inline(never) func link(_ left: Node, _ right: Node) {
      left.next = right
      right.previous = left
    }
    @inline(never) func replace(_ chain: inout Chain, _ node: Node) {
      chain.first = node
    }
    @inline(never) func look(_ node: Node) -> Int {
      let next = node.next
      print(node.number)
      return next?.number ?? 0
    }
    @inline(never) func step(_ node: Node) {
      let next = node.next
      next?.previous = node
    }
    final class Link<Value> {
      let value: Value
      var next: Link<Value>?
      init(_ value: Value) { self.value = value }
    }
    final class Both<Value> {
      let value: Value
      var nodes: (Node?, Node?)
      init(_ value: Value) { self.value = value }
    }
    @inline(never) func second<Value>(_ both: Both<Value>, _ node: Node) {
      both.nodes.1 = node
    }
    @inline(never) func join<Value>(_ left: Link<Value>, _ right: Link<Value>) {
      left.next = right
    }
    struct Nodes { var all: [Node] = [] }
    @inline(never) func keep(_ node: Node, _ nodes: inout Nodes) {
      node.previous = nil
      nodes.all.append(node)
    }
    final class Machine {
      var left = 3
      func step() -> Bool { left -= 1; return left > 0 }
    }
    @inline(never) func count() -> Int {
      let machine = Machine()
      var steps = 0
      while machine.step() { steps += 1 }
      return steps
    }
    let (left, right) = (Node(1), Node(2))
    join(Link(1), Link(2))
    second(Both(1), left)
    var nodes = Nodes()
    keep(left, &nodes)
    var chain = Chain()
    link(left, right)
    replace(&chain, left)
    step(Owner(left).node)
    let pair = Pair(Pair(nil))
    (pair.left, pair.right, pair.inner!.right) = (left, right, left)
    pair.clear()
    pair.clearInner()
    print(look(left), count(), chain.first!.number)
    """

  private func moves(_ options: [String], in function: String, calling callee: String) throws -> [ReferenceMove?] {
    let program = try CompiledProgram(Self.source, options: ["-module-name", "Sample"] + options)
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image()])
    let listing = try CompiledProgram.run("objdump", ["-d", "--no-show-raw-insn", program.path])
    let code = listing.split(separator: "\n\n").first { $0.prefix { $0 != "\n" }.contains(function) } ?? ""
    let count = code.split(separator: "\n").count { $0.contains("call") && $0.contains(callee) }
    return try program.returnAddresses(in: function, calling: callee).prefix(count).map {
      symbolicator.referenceMove(at: $0 - 1 + 0x10_0000)
    }
  }

  @Test(
    "A retain whose reference the code stores in a property shows the property's offset in the object",
    arguments: [["-g", "-Onone"], ["-g", "-O"], ["-O"]])
  func stored(_ options: [String]) throws {
    let moves = try moves(options, in: "4linkyy", calling: "swift_retain")
    #expect(moves == [.stored(offset: .constant(24), from: .object), .stored(offset: .constant(32), from: .object)])
  }

  @Test("In a property after a generic value, it shows where the class's metadata has the property's offset")
  func generic() throws {
    let retains = try moves(["-g", "-Onone"], in: "4joinyy", calling: "swift_retain")
    // The vector follows the type argument; its first word is that of `value`.
    #expect(retains == [.stored(offset: .inMetadata(72, plus: 0), from: .object)])
    let releases = try moves(["-g", "-Onone"], in: "4joinyy", calling: "swift_release")
    #expect(releases == [.removed(offset: .inMetadata(72, plus: 0), isReplaced: true)])
    // Eight bytes into a property.
    let seconds = try moves(["-g", "-Onone"], in: "6secondyy", calling: "swift_retain")
    #expect(seconds == [.stored(offset: .inMetadata(72, plus: 8), from: .object)])
  }

  @Test("A release of what a property had shows its offset", arguments: [["-g", "-Onone"], ["-g", "-O"], ["-O"]])
  func removed(_ options: [String]) throws {
    let moves = try moves(options, in: "4linkyy", calling: "swift_release")
    #expect(
      moves.prefix(2) == [
        .removed(offset: .constant(24), isReplaced: true), .removed(offset: .constant(32), isReplaced: true),
      ])
  }

  @Test(
    "A method's release of what its own object had in a property is told from that of another object's",
    arguments: [["-g", "-Onone"], ["-g", "-O"]])
  func own(_ options: [String]) throws {
    let own = try moves(options, in: "4PairC5clearyy", calling: "swift_release")
    #expect(own == [.removed(offset: .constant(24), isReplaced: true, isOwn: true)], "\(own)")
    let inner = try moves(options, in: "4PairC10clearInneryy", calling: "swift_release")
    #expect(inner.contains(.removed(offset: .constant(24), isReplaced: true)), "\(inner)")
    #expect(!inner.contains(.removed(offset: .constant(24), isReplaced: true, isOwn: true)), "\(inner)")
  }

  @Test("What is stored in a variable of the caller is not in an object for certain")
  func variable() throws {
    let retains = try moves(["-g", "-Onone"], in: "7replaceyy", calling: "swift_retain")
    #expect(retains == [.stored(offset: .constant(0), from: .unknown)])
    let releases = try moves(["-g", "-Onone"], in: "7replaceyy", calling: "swift_release")
    #expect(releases == [.removed(offset: .constant(0), isReplaced: true)])
  }

  @Test("A reference that a function keeps only while it runs is a local one")
  func local() throws {
    let retains = try moves(["-g", "-Onone"], in: "4lookyS", calling: "swift_retain")
    #expect(retains.compactMap { $0 } == [.copied(offset: .constant(24))])
    let releases = try moves(["-g", "-Onone"], in: "4lookyS", calling: "swift_release")
    #expect(releases.contains(.local))
  }

  @Test("Lines show where instructions begin: the bytes before a release behind a loop could be read in other ways")
  func boundaries() throws {
    #expect(try moves(["-g", "-Onone"], in: "5countSi", calling: "swift_release") == [.local])
  }

  @Test("What a function that is not optimized was given, or copied from a property, is a local one")
  func copied() throws {
    let given = try moves(["-g", "-Onone"], in: "5OwnerCyAcA4NodeCcfc", calling: "swift_retain")
    #expect(given == [.stored(offset: .constant(16), from: .unknown)])
    let parameter = try moves(["-g", "-Onone"], in: "5OwnerCyAcA4NodeCcfc", calling: "swift_release")
    #expect(parameter == [.local])
    let copy = try moves(["-g", "-Onone"], in: "4stepyy", calling: "swift_release")
    #expect(copy.contains(.local))
    #expect(!copy.contains(.removed(offset: .constant(24), isReplaced: false)))
  }

  @Test("What optimized code retains or releases without a line has the line of the store")
  func line() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-module-name", "Sample", "-O"])
    defer { program.remove() }
    for callee in ["swift_retain", "swift_release"] {
      let addresses = try program.returnAddresses(in: "4linkyy", calling: callee)
      #expect(addresses.count > 1)
      for (address, line) in zip(addresses, [21, 22]) {
        try #expect(program.frames(at: address - 1) == ["link(_:_:) Sample.swift:\(line)"])
      }
    }
  }

  @Test("What optimized code retains without a line, and does not store itself, is only near the line before")
  func near() throws {
    func isNear(_ options: [String], in function: String) throws -> [Bool?] {
      let program = try CompiledProgram(Self.source, options: ["-g", "-module-name", "Sample"] + options)
      defer { program.remove() }
      let symbolicator = Symbolicator(images: [try program.image()])
      return try program.returnAddresses(in: function, calling: "swift_retain").map {
        symbolicator.frames(at: $0 - 1 + 0x10_0000).first?.isNear
      }
    }
    #expect(try isNear(["-O"], in: "4keepyy").contains(true))
    #expect(try isNear(["-Onone"], in: "4keepyy").contains(true) == false)
    #expect(try isNear(["-O"], in: "4linkyy").prefix(2) == [false, false])
  }

  @Test("What is retained for a task's frame is not what an initializer inlined there took")
  func taskFrame() throws {
    let program = try CompiledProgram(
      """
      final class Worker: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
        @inline(never) func work() -> Int { number + 1 }
      }
      @inline(never) func start(_ number: Int) async -> Int {
        let worker = Worker(number)
        let pointer = UInt(bitPattern: Unmanaged.passRetained(worker).toOpaque())
        await Task.yield()
        return Unmanaged<Worker>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!).takeUnretainedValue().work()
      }
      print(await start(1))
      """, options: ["-g", "-O", "-module-name", "Sample"])
    defer { program.remove() }
    let frames = try program.frames(at: program.returnAddress(in: "5startyS2iYaFTY0_", calling: "swift_retain") - 1)
    #expect(frames.map { $0.hasPrefix("start(_:) ") } == [true])
  }

  @Test("Any bytes are read without harm, and no further than they go")
  func hostile() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        // Common beginnings, so that more than one byte is read.
        [0x48, 0x4C, 0x89, 0x8B, 0x8D, 0xE8, 0xC7, 0xFF, 0x81, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator)!
      }
      if let instruction = Instruction(bytes[...]) {
        #expect((1...bytes.count).contains(instruction.length))
        #expect(instruction.length <= Instruction.longest)
        #expect(Instruction(bytes.prefix(instruction.length)[...])?.effect == instruction.effect)
        #expect(Instruction(bytes.prefix(instruction.length - 1)[...]) == nil)
      }
    }
  }

  @Test("Instructions that move values are read as the processor reads them")
  func instructions() {
    func effect(_ bytes: UInt8...) -> Instruction.Effect? {
      Instruction(bytes[...]).flatMap { $0.length == bytes.count ? $0.effect : nil }
    }
    // mov 0x20(%r14),%r12
    #expect(
      effect(0x4D, 0x8B, 0x66, 0x20) == .move(from: .memory(base: 14, displacement: 32), to: .register(12)))
    // mov %r13,%rdi
    #expect(effect(0x4C, 0x89, 0xEF) == .move(from: .register(13), to: .register(7)))
    // mov %rcx,0x8(%r12)
    #expect(effect(0x49, 0x89, 0x4C, 0x24, 0x08) == .move(from: .register(1), to: .memory(base: 12, displacement: 8)))
    // movq $0x0,-0x8(%rbp)
    #expect(
      effect(0x48, 0xC7, 0x45, 0xF8, 0, 0, 0, 0) == .constant(to: .memory(base: 5, displacement: -8)))
    // lea -0x98(%rbp),%rsi
    #expect(
      effect(0x48, 0x8D, 0xB5, 0x68, 0xFF, 0xFF, 0xFF) == .address(base: 5, displacement: -0x98, to: 6))
    // add $0x20,%rdi
    #expect(effect(0x48, 0x83, 0xC7, 0x20) == .add(32, to: 7))
    // xor %eax,%eax
    #expect(effect(0x31, 0xC0) == .constant(to: .register(0)))
    // movups %xmm0,0x10(%rax)
    #expect(effect(0x0F, 0x11, 0x40, 0x10) == .wide(to: .memory(base: 0, displacement: 16)))
    // mov 0x0(%rip),%rax and lea 0x0(%rip),%rdi
    #expect(effect(0x48, 0x8B, 0x05, 0, 0, 0, 0) == .constant(to: .register(0)))
    #expect(effect(0x48, 0x8D, 0x3D, 0, 0, 0, 0) == .constant(to: .register(7)))
    // mov (%rax,%rcx,1),%rdi and add %rax,%rdi
    #expect(
      effect(0x48, 0x8B, 0x3C, 0x08) == .move(from: .indexed(base: 0, index: 1, displacement: 0), to: .register(7)))
    // mov %rsi,0x8(%rax,%rcx,1)
    #expect(
      effect(0x48, 0x89, 0x74, 0x08, 0x08)
        == .move(from: .register(6), to: .indexed(base: 0, index: 1, displacement: 8)))
    #expect(effect(0x48, 0x01, 0xC7) == .addRegister(0, to: 7))
    // With an index of elements, and a return.
    #expect(effect(0x48, 0x8B, 0x04, 0xC8) == nil)
    #expect(effect(0xC3) == nil)
  }
}
