@testable import LifelineHeap

/// Made-up memory of a process: an image of the program with its classes and variables, a system image, the recorder's
/// image in the program's own folder with anonymous memory after it, the standard library's variables, the program's
/// code, that of libdispatch and of the concurrency library, and a heap.
final class SyntheticMemory: MemorySource {
  static let image: UInt64 = 0x40_0000, data: UInt64 = 0x50_0000, system: UInt64 = 0x60_0000
  static let recorder: UInt64 = 0x70_0000, core: UInt64 = 0x80_0000, code: UInt64 = 0x90_0000
  static let dispatch: UInt64 = 0xA0_0000, concurrency: UInt64 = 0xB0_0000
  static let behindRecorder = recorder + UInt64(size)
  static let heap: UInt64 = 0x100_0000
  static let size = 0x4000

  let regions: [MemoryRegion]
  private let memory: [UnsafeMutableRawPointer]
  /// The next free byte of the image's constants.
  private var end = SyntheticMemory.image
  /// The next free byte of the system image.
  private var systemEnd = SyntheticMemory.system
  /// Metadata of structs by descriptor.
  private var structs: [UInt64: UInt64] = [:]

  init() {
    func region(
      _ start: UInt64, writable: Bool, path: String, inode: UInt64, executable: Bool = false
    ) -> MemoryRegion {
      MemoryRegion(
        addresses: start..<start + UInt64(Self.size), isWritable: writable, isExecutable: executable, path: path,
        fileOffset: 0, inode: inode)
    }
    regions = [
      region(Self.image, writable: false, path: "/home/me/app", inode: 1),
      region(Self.data, writable: true, path: "/home/me/app", inode: 1),
      region(Self.system, writable: true, path: "/usr/lib/libsystem.so", inode: 2),
      region(Self.recorder, writable: true, path: "/home/me/libLifelineProbe.so", inode: 3),
      region(Self.behindRecorder, writable: true, path: "", inode: 0),
      region(Self.core, writable: true, path: "/opt/swift/libswiftCore.so", inode: 4),
      region(Self.code, writable: false, path: "/home/me/app", inode: 1, executable: true),
      region(Self.dispatch, writable: false, path: "/opt/swift/libdispatch.so", inode: 5, executable: true),
      region(Self.concurrency, writable: false, path: "/opt/swift/libswift_Concurrency.so", inode: 6, executable: true),
      region(Self.heap, writable: true, path: "[heap]", inode: 0),
    ]
    memory = regions.map { _ in
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)
      bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
      return bytes
    }
  }

  deinit { for bytes in memory { bytes.deallocate() } }

  func bytes(ofRegion index: Int) -> UnsafeRawPointer? { UnsafeRawPointer(memory[index]) }

  func write(_ word: UInt64, at address: UInt64) { store(word, at: address) }
  func write(byte: UInt8, at address: UInt64) { store(byte, at: address) }

  private func store(_ value: some FixedWidthInteger & BitwiseCopyable, at address: UInt64) {
    let index = region(at: address)!
    memory[index].storeBytes(
      of: value, toByteOffset: Int(address - regions[index].addresses.lowerBound), as: type(of: value))
  }

  /// The headers of an image (elf(5)) that takes this many bytes of memory.
  func addProgramHeaders(at base: UInt64, bytes: UInt64) {
    store(UInt32(0x464C_457F), at: base)
    store(UInt64(64), at: base + 0x20)
    store(UInt16(56), at: base + 0x36)
    store(UInt16(1), at: base + 0x38)
    store(UInt32(1), at: base + 64)
    store(bytes, at: base + 64 + 40)
  }

  /// What `body` adds is in the system image instead of the program's.
  func inLibrary<Value>(_ body: () -> Value) -> Value {
    swap(&end, &systemEnd)
    defer { swap(&end, &systemEnd) }
    return body()
  }

  private func take(_ bytes: Int) -> UInt64 {
    defer { end += UInt64(bytes + 15) & ~15 }
    return end
  }

  private func text(_ text: String) -> UInt64 {
    let address = take(text.utf8.count + 1)
    for (index, byte) in text.utf8.enumerated() { store(byte, at: address + UInt64(index)) }
    return address
  }

  private func relative(at address: UInt64, to target: UInt64) {
    store(Int32(Int64(target) - Int64(address)), at: address)
  }

  /// Metadata of a class with properties and their mangled types (swift/ABI/Metadata.h). Each property has 8 bytes, the
  /// last one `lastSize`.
  func addClass(
    _ name: String, _ properties: [(name: String, type: String)], lastSize: Int = 8, in moduleName: String = "App"
  ) -> UInt64 {
    let descriptor = addDescriptor(16, name, properties, in: moduleName)
    let metadata = take(48 + 8 * properties.count)
    store(UInt32(properties.count), at: descriptor + 36)
    store(UInt32(6), at: descriptor + 40)
    store(UInt32(8 + 8 * properties.count + lastSize), at: metadata + 24)
    store(UInt32(64 + 8 * properties.count), at: metadata + 32)
    store(UInt32(16), at: metadata + 36)
    store(descriptor, at: metadata + 40)
    for index in properties.indices { store(UInt64(16 + index * 8), at: metadata + 48 + UInt64(index * 8)) }
    return metadata
  }

  /// A type's descriptor with the records of its properties.
  private func addDescriptor(
    _ kind: UInt32, _ name: String, _ properties: [(name: String, type: String)], in moduleName: String
  ) -> UInt64 {
    let module = take(16), descriptor = take(48), fields = take(16 + 12 * properties.count)
    relative(at: module + 8, to: text(moduleName))
    store(kind, at: descriptor)
    relative(at: descriptor + 4, to: module)
    relative(at: descriptor + 8, to: text(name))
    relative(at: descriptor + 16, to: fields)
    store(UInt16(12), at: fields + 10)
    store(UInt32(properties.count), at: fields + 12)
    for (index, property) in properties.enumerated() {
      let record = fields + 16 + UInt64(index * 12)
      store(UInt32(2), at: record)
      relative(at: record + 4, to: text(property.type))
      relative(at: record + 8, to: text(property.name))
    }
    return descriptor
  }

  /// A descriptor of which only the flags are known, such as a protocol's.
  func addContext(_ flags: UInt32) -> UInt64 {
    let descriptor = take(48)
    store(flags, at: descriptor)
    return descriptor
  }

  /// The descriptor of a struct of the program, whose metadata is in the program's data.
  func addStruct(
    _ name: String, _ properties: [(name: String, type: String)], offsets: [Int], size: Int,
    in moduleName: String = "App"
  ) -> UInt64 {
    let descriptor = addDescriptor(17, name, properties, in: moduleName)
    store(UInt32(properties.count), at: descriptor + 20)
    store(UInt32(2), at: descriptor + 24)
    let witnesses = take(96), metadata = take(32 + 4 * properties.count) + 16
    store(UInt64(size), at: witnesses + 64)
    store(UInt64((size + 7) & ~7), at: witnesses + 72)
    store(witnesses, at: metadata - 8)
    store(UInt64(0x200), at: metadata)
    store(descriptor, at: metadata + 8)
    structs[descriptor] = metadata
    for (index, offset) in offsets.enumerated() { store(UInt32(offset), at: metadata + 16 + UInt64(index * 4)) }
    return descriptor
  }

  /// The descriptor of a generic struct or enum with parameters of any type. Of an enum these are the cases, of which
  /// the ones with a payload come first.
  func addGeneric(
    _ properties: [(name: String, type: String)], payloads: Int? = nil, requirements: UInt16 = 0
  ) -> UInt64 {
    let kind: UInt32 = payloads == nil ? 17 : 18
    let descriptor = addDescriptor(kind | 0x80, "Pair", properties, in: "App")
    store(UInt32(payloads ?? properties.count), at: descriptor + 20)
    if let payloads { store(UInt32(properties.count - payloads), at: descriptor + 24) }
    store(requirements, at: descriptor + 38)
    return descriptor
  }

  /// The descriptor of an enum; with a size, its metadata is in the program's data.
  func addEnum(
    _ name: String, payloads: UInt32, cases: [String] = [], size: Int? = nil, extraInhabitants: UInt32 = 0,
    in moduleName: String = "App"
  ) -> UInt64 {
    let descriptor = addDescriptor(18, name, cases.map { ($0, "") }, in: moduleName)
    store(UInt32(cases.count), at: descriptor + 24)
    // The upper byte is the size of the payload area.
    store(payloads | 8 << 24, at: descriptor + 20)
    guard let size else { return descriptor }
    let witnesses = take(96), metadata = take(32) + 16
    store(UInt64(size), at: witnesses + 64)
    store(UInt32(7), at: witnesses + 80)
    store(extraInhabitants, at: witnesses + 84)
    store(witnesses, at: metadata - 8)
    store(UInt64(0x201), at: metadata)
    store(descriptor, at: metadata + 8)
    return descriptor
  }

  /// Changes a property's type to the one with another descriptor, to an optional of it, or to another type with it.
  func setType(
    ofProperty index: Int, of holder: UInt64, to descriptor: UInt64, isOptional: Bool = false, as type: String = "@"
  ) {
    let fields = holder + 16 &+ UInt64(bitPattern: Int64(Int32(bitPattern: half(at: holder + 16))))
    relative(at: fields + 16 + UInt64(index * 12) + 4, to: mangled(isOptional ? "\(type)Sg" : type, descriptor))
  }

  private func half(at address: UInt64) -> UInt32 {
    let index = region(at: address)!
    return memory[index].load(fromByteOffset: Int(address - regions[index].addresses.lowerBound), as: UInt32.self)
  }

  /// The descriptor of a class, from its metadata.
  func descriptor(of metadata: UInt64) -> UInt64 { UInt64(half(at: metadata + 40)) }

  /// Metadata of a struct with this many bytes, stored in an existential's buffer or in a box.
  func addStruct(size: Int, isInBuffer: Bool) -> UInt64 {
    let witnesses = take(96), metadata = take(32) + 16
    store(UInt64(size), at: witnesses + 64)
    store(UInt32(isInBuffer ? 0 : 0x2_0000), at: witnesses + 80)
    store(witnesses, at: metadata - 8)
    store(UInt64(0x200), at: metadata)
    return metadata
  }

  /// Metadata of boxes of a struct, by its descriptor.
  func addBox(of structure: UInt64) -> UInt64 {
    let metadata = take(24)
    store(UInt64(0x500), at: metadata)
    store(UInt32(16), at: metadata + 8)
    store(structs[structure]!, at: metadata + 16)
    return metadata
  }

  /// Metadata of boxes of errors.
  func addErrorBox() -> UInt64 {
    let metadata = take(16)
    store(UInt64(0x501), at: metadata)
    return metadata
  }

  func metadata(of structure: UInt64) -> UInt64 { structs[structure]! }

  /// Metadata of closure contexts, which describes the captures if their mangled types are given. "@" in a type stands
  /// for the address of a descriptor, "#" for that of a parameterized protocol type's shape.
  func addClosure(capturing types: [String] = [], of descriptor: UInt64 = 0, genericArguments: UInt32 = 0) -> UInt64 {
    let metadata = take(24)
    store(UInt64(0x400), at: metadata)
    store(UInt32(16), at: metadata + 8)
    guard !types.isEmpty else { return metadata }
    let captures = take(12 + 4 * types.count)
    store(captures, at: metadata + 16)
    store(UInt32(types.count), at: captures)
    store(genericArguments, at: captures + 8)
    for (index, type) in types.enumerated() {
      relative(at: captures + 12 + UInt64(index * 4), to: mangled(type, descriptor))
    }
    return metadata
  }

  private func mangled(_ type: String, _ descriptor: UInt64) -> UInt64 {
    var address = take(type.utf8.count * 5 + 1)
    defer { store(UInt8(0), at: address) }
    let start = address
    for byte in type.utf8 {
      guard byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#") else {
        store(byte, at: address)
        address += 1
        continue
      }
      store(UInt8(byte == UInt8(ascii: "@") ? 1 : 10), at: address)
      let offset = Int32(Int64(descriptor) - Int64(address + 1))
      for byte in 0..<4 { store(UInt8(truncatingIfNeeded: offset >> (8 * byte)), at: address + 1 + UInt64(byte)) }
      address += 5
    }
    return start
  }

  /// An object as malloc and the runtime lay it out: `words` follow its header, whose count means one reference.
  func addObject(
    _ metadata: UInt64, at address: UInt64, counts: UInt64 = 3, _ words: [UInt64]
  ) {
    // A chunk's size is 8 bytes more than the program requested, rounded to a multiple of 16; bit 0 means that the
    // previous chunk is in use.
    let size = UInt64((16 + words.count * 8 + 8 + 15) & ~15)
    store(size | 1, at: address - 8)
    store(UInt64(0x21), at: address - 8 + size)
    store(metadata, at: address)
    store(counts, at: address + 8)
    for (index, word) in words.enumerated() { store(word, at: address + 16 + UInt64(index * 8)) }
  }
}
