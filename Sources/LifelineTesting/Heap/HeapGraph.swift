import LifelineLifetimes
import LifelineTrace

/// Which objects of this process keep which alive, as their memory says right now.
///
/// Properties are told apart by the runtime's reflection; storage of arrays and dictionaries, boxes and closures are
/// searched word by word, so a number that looks like an address counts as a reference.
final class HeapGraph {
  /// A reference from an object: through a property, or from a thing without properties.
  struct Edge {
    let property: String
    let target: UInt64
  }

  /// The live objects that were recorded, by address.
  let objects: [UInt64: TrackedObject]
  private let records: [Int: ClassRecord]
  private let sorts: [UInt64: ClassRecord]
  private let memory = HeapMemory()
  private var known: [UInt64: [Edge]] = [:]
  private var fields: [UInt64: [HeapField]] = [:]

  init(objects: [TrackedObject], classes: [Int: ClassRecord]) {
    self.objects = Dictionary(objects.map { ($0.address, $0) }, uniquingKeysWith: { _, last in last })
    records = classes
    sorts = Dictionary(classes.values.map { ($0.metadata, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The class of a recorded live object.
  func record(at address: UInt64) -> ClassRecord? {
    objects[address] == nil ? nil : memory.word(at: address).flatMap { sorts[$0] }
  }

  /// Whether the address is an instance of a class of the program's own, which a person thinks of as an object.
  func isObject(_ address: UInt64) -> Bool { record(at: address)?.sort == .object }

  /// What an object refers to; O(its size) once.
  func edges(from address: UInt64) -> [Edge] {
    if let edges = known[address] { return edges }
    known[address] = []
    let edges = find(from: address)
    known[address] = edges
    return edges
  }

  private func find(from address: UInt64) -> [Edge] {
    let header = memory.words(at: address, count: 2)
    guard header.count == 2 else { return [] }
    // A static object or one that never dies keeps what it wants: it is not part of a leak.
    if Int64(bitPattern: header[1]) < 0, UInt32(truncatingIfNeeded: header[1]) == .max { return [] }
    if let record = record(at: address), record.sort == .object {
      // What the expectations remember keeps nothing alive.
      if record.name.hasPrefix("LifelineTesting.") { return [] }
      let words = memory.words(at: address, count: (record.instanceSize + 7) / 8)
      guard !words.isEmpty else { return [] }
      var edges: [Edge] = []
      for field in properties(of: record) {
        let first = (field.bytes.lowerBound + 7) / 8
        for index in first..<max(first, min(field.bytes.upperBound / 8, words.count)) {
          if let target = target(words[index]) { edges.append(Edge(property: field.name, target: target)) }
        }
      }
      return edges
    }
    return memory.words(at: address, count: allocatedWords(address)).dropFirst(2).compactMap(target).map {
      Edge(property: "", target: $0)
    }
  }

  private func properties(of record: ClassRecord) -> [HeapField] {
    if let known = fields[record.metadata] { return known }
    let type = unsafeBitCast(UInt(record.metadata), to: Any.Type.self)
    let found = HeapField.fields(of: type, size: record.instanceSize)
    fields[record.metadata] = found
    return found
  }

  /// References from words outside of objects: the writable data of an image.
  func references(in addresses: Range<UInt64>) -> [(word: UInt64, target: UInt64)] {
    memory.regions.map { $0.clamped(to: addresses) }.flatMap { region -> [(word: UInt64, target: UInt64)] in
      let words = memory.words(at: region.lowerBound, count: Int(region.count / 8))
      return words.enumerated().compactMap { index, word in
        target(word).map { (region.lowerBound + UInt64(index) * 8, $0) }
      }
    }
  }

  /// The heap object that a word leads to, if it leads to one.
  private func target(_ word: UInt64) -> UInt64? {
    // Enums and bridge objects keep spare bits in a pointer.
    let address = word & 0x00FF_FFFF_FFFF_FFF8
    if objects[address] != nil { return address }
    guard address & 15 == 0, address > 4096, memory.contains(address), let metadata = memory.word(at: address) else {
      return nil
    }
    return isHeapMetadata(metadata) ? address : nil
  }

  /// MetadataKind.def: 0x400 and 0x500 are closures and boxes; a class has a descriptor of kind 16.
  private func isHeapMetadata(_ metadata: UInt64) -> Bool {
    guard metadata > 4096, metadata & 7 == 0, metadata >> 47 == 0, let kind = memory.word(at: metadata) else {
      return false
    }
    if kind == 0x400 || kind == 0x500 { return true }
    guard kind == 0 || kind > 0x7FF, let descriptor = memory.word(at: metadata + 40), descriptor > 4096,
      descriptor >> 47 == 0,
      let flags = memory.word(at: descriptor & ~7)
    else { return false }
    return (descriptor & 7 == 0 ? flags : flags >> 32) & 0x1F == 16
  }

  /// Words of the malloc block that begins at an address (malloc.c of glibc: the size is in the word before it).
  private func allocatedWords(_ address: UInt64) -> Int {
    guard let size = memory.word(at: address - 8) else { return 0 }
    return Int(min(size & ~7, 8 << 20) / 8).advanced(by: -1)
  }
}
