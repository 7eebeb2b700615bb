/// Which words of an object may be strong references.
struct ObjectLayout {
  private enum Shape {
    case conservative
    /// Characters, followed by the breadcrumbs of a long text (StringStorage.swift of the standard library).
    case text
    /// Words up to the instance's end, without these. That of some contexts is not known.
    case object(Extent, leftOut: [Range<Int>], varying: [VaryingWords])
    /// Elements starting at byte 32; the second word is their number.
    case array(Element)
    /// A ring of elements after its capacity, its count and the number of the first one.
    case deque(Element)
    /// A hash table of keys and values; values are nil for a set.
    case table(key: Element, value: Element?)
  }

  /// How far the words of an instance reach in its block.
  struct Extent {
    /// Words that are wholly in the instance. No reference is in a part of one: the rest of it has what was in the
    /// memory before.
    let whole: Int
    /// With a part of one.
    let all: Int
    /// Whether what follows the instance is unused, however much, because malloc does not split off every remainder.
    /// Otherwise more space than malloc's rounding may be memory requested by the class.
    let isEnd: Bool
    /// Whether a larger block shows that the context has captures which their list does not have.
    var isUnsure = false

    static let block = Self(whole: .max, all: .max, isEnd: true)

    /// `count` is the number of words in the block.
    @inline(__always)
    func end(of count: Int) -> Int { count - all >= 2 && !isEnd ? count : min(whole, count) }

    func isContradicted(by count: Int) -> Bool { isUnsure && count - all >= 2 }
  }

  private struct Element {
    /// Bytes from one element to the next.
    let stride: Int
    let alignment: Int
    let varying: [VaryingWords]
    /// The words in it that keep nothing alive, ascending.
    let leftOut: [Range<Int>]
    /// The words of these that are `unowned` references.
    let unowned: [Int]
    var isWhole: Bool { varying.isEmpty && leftOut.isEmpty }
  }

  private let shape: Shape
  /// Whether a pointer may begin within a word: not if each word is a value of its own.
  let mayPack: Bool
  /// Whether all but one word of it are characters.
  var isText: Bool {
    if case .text = shape { true } else { false }
  }
  /// For an object in which all words count, and for one that is searched whole. Nil for others.
  var plainExtent: Extent? {
    switch shape {
    case .conservative: .block
    case .object(let extent, let leftOut, let varying): leftOut.isEmpty && varying.isEmpty ? extent : nil
    case .text, .array, .deque, .table: nil
    }
  }

  /// Layouts by type index.
  static func layouts(of classes: inout ClassReader) -> [ObjectLayout] {
    classes.types.indices.map { index in
      let type = classes.types[index]
      let words = (Int(classes.instanceSizes[index]) + 7) / 8
      // Some of the toolchain's classes allocate more than an instance.
      let endsWithInstance =
        type.isOwn && !TypeName.isOfToolchain(type.name) && words > Self.headerWords
        && !hasTail(type.metadata, &classes.reader)
      switch type.kind {
      case _ where type.name == "Swift.__StringStorage":
        return ObjectLayout(shape: .text, mayPack: false)
      case _ where isDeque(type.name):
        let shape = deque(type, &classes) ?? .conservative
        return ObjectLayout(shape: shape, mayPack: !isOfWords(shape))
      case .object,
        .storage where isLocked(type.name):
        let extent = Extent(
          whole: Int(classes.instanceSizes[index]) / 8, all: words, isEnd: endsWithInstance || isLocked(type.name))
        return ObjectLayout(
          shape: .object(extent, leftOut: leftOut(type.fields), varying: VaryingWords.all(in: type.fields)),
          // Properties that could not be read may be anything.
          mayPack: !endsWithInstance || type.fields.count != words - headerWords || !type.fields.allSatisfy(isWord))
      case .storage:
        let shape = storage(type, &classes) ?? .conservative
        return ObjectLayout(shape: shape, mayPack: !isOfWords(shape))
      case .closure where !type.fields.isEmpty || words > 0, .box where !type.fields.isEmpty,
        .other where !type.fields.isEmpty:
        let whole = Int(classes.instanceSizes[index]) / 8
        let isUnsure = type.kind == .closure && CaptureReader.isGeneric(type.metadata, &classes.reader)
        let extent = words > 0 ? Extent(whole: whole, all: words, isEnd: false, isUnsure: isUnsure) : .block
        return ObjectLayout(
          shape: .object(
            extent, leftOut: leftOut(type.fields, but: .unownedUnsafe), varying: VaryingWords.all(in: type.fields)),
          mayPack: true)
      default: return ObjectLayout(shape: .conservative, mayPack: true)
      }
    }
  }

  /// A class without stored properties may be that of a ManagedBufferPointer's buffers, which are followed by elements.
  private static let headerWords = 2

  /// Whether instances are followed by elements: subclasses of ManagedBuffer, and unreadable classes.
  private static func hasTail(_ metadata: UInt64, _ reader: inout MemoryReader) -> Bool {
    var current = metadata
    for _ in 0..<64 {
      guard let shape = ClassShape(current, &reader) else { return true }
      if shape.superclass == 0 { return false }
      current = shape.superclass
      if TypeName.ofNominal(current, &reader)?.hasPrefix("Swift.ManagedBuffer") != false { return true }
    }
    return true
  }

  private static func isWord(_ field: HeapField) -> Bool {
    field.offset & 7 == 0 && field.size == 8 && [.object, .number, .word].contains(field.content)
  }

  private static func isOfWords(_ shape: Shape) -> Bool {
    switch shape {
    // Bytes, and numbers of two or four, may be packed structures.
    case .array(let element), .deque(let element): element.stride == 8
    case .table(let key, let value): key.stride <= 8 && value?.stride ?? 8 <= 8
    default: false
    }
  }

  /// What the compiler calls the state of an actor, in bytes, and the words of it that the runtime never writes: a
  /// flag and padding, then padding between the status and the queue of jobs (Actor.cpp, HeaderFooterLayout).
  private static let actorStorage = "$defaultActor", actorStorageSize = 96, actorPadding = [0..<2, 4..<6]

  /// Words of fields that keep nothing alive, ascending. The words shared by several adjacent Bools are excluded.
  private static func leftOut(_ fields: [HeapField], but kept: HeapField.Ownership = .strong) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for (index, field) in fields.enumerated() {
      if field.name == actorStorage, field.size == actorStorageSize {
        result += actorPadding.map { field.offset / 8 + $0.lowerBound..<field.offset / 8 + $0.upperBound }
      }
      if field.content != .number {
        if field.ownership != .strong, field.ownership != kept {
          result.append(field.offset / 8..<(field.offset + field.size) / 8)
        }
        continue
      }
      start = start ?? field.offset
      if index + 1 < fields.count, fields[index + 1].content == .number { continue }
      let bytes = field.offset + field.size
      let end = index + 1 < fields.count ? bytes : (bytes + 7) & ~7
      if let first = start, (first + 7) / 8 < end / 8 { result.append((first + 7) / 8..<end / 8) }
      start = nil
    }
    return result
  }

  private static func storage(_ type: HeapType, _ classes: inout ClassReader) -> Shape? {
    let isArray = type.name.hasPrefix("Swift._ContiguousArrayStorage<")
    let isDictionary = type.name.hasPrefix("Swift._DictionaryStorage<"),
      isSet = type.name.hasPrefix("Swift._SetStorage<")
    guard isArray || isDictionary || isSet, let descriptor = classes.reader.word(at: type.metadata + 40)
    else { return nil }
    let arguments = TypeName.genericArguments(of: type.metadata, descriptor, isClass: true, &classes.reader)
    let elements = arguments.compactMap { element($0, &classes) }
    guard elements.count == (isDictionary ? 2 : 1) else { return nil }
    if isArray { return .array(elements[0]) }
    return .table(key: elements[0], value: isSet ? nil : elements[1])
  }

  /// The storage of asynchronous streams: only a lock follows an instance (AsyncStreamBuffer.swift of the runtime).
  private static func isLocked(_ name: String) -> Bool {
    ["Swift.AsyncStream._Storage", "Swift.AsyncThrowingStream._Storage"]
      .contains(name.prefix { $0 != "<" })
  }

  /// The buffers of AsyncStream and of swift-collections' deques (_DequeBuffer of both).
  private static func isDeque(_ name: String) -> Bool {
    ["Swift._DequeBuffer", "DequeModule._DequeBuffer"].contains(name.prefix { $0 != "<" })
  }

  private static func deque(_ type: HeapType, _ classes: inout ClassReader) -> Shape? {
    guard let descriptor = classes.reader.word(at: type.metadata + 40) else { return nil }
    let arguments = TypeName.genericArguments(
      of: type.metadata, descriptor, isClass: true, isResilientToo: true, &classes.reader)
    return arguments.count == 1 ? element(arguments[0], &classes).map { .deque($0) } : nil
  }

  private static func element(_ metadata: UInt64, _ classes: inout ClassReader) -> Element? {
    // The value witness table is found before the metadata; its tenth word is the stride.
    guard let witnesses = classes.reader.word(at: metadata &- 8),
      let stride = classes.reader.word(at: witnesses + 72), stride > 0, stride <= 1 << 20,
      let size = classes.reader.word(at: witnesses + 64), size <= stride,
      let flags = classes.reader.half(at: witnesses + 80)
    else { return nil }
    var varying: [VaryingWords] = [], leftOut: [Range<Int>] = [], unowned: [Int] = []
    if stride >= ExistentialReader.size, ExistentialReader.isExistential(metadata, &classes.reader) {
      varying = [.existential(0)]
    } else if stride == 8, isIdentity(metadata, &classes.reader) {
      (leftOut, unowned) = ([0..<1], [0])
    } else if stride & 7 == 0 {
      let parts = classes.parts(ofElement: metadata, stride: Int(stride))
      varying = VaryingWords.all(in: parts)
      leftOut = Self.leftOut(parts, but: .unownedUnsafe)
      unowned = parts.filter { $0.ownership == .unowned && $0.offset & 7 == 0 }.map { $0.offset / 8 }
      let padding = StructReader.wholeWords(ofSize: Int(size))..<Int(stride) / 8
      if !padding.isEmpty, leftOut.last.map({ $0.upperBound <= padding.lowerBound }) ?? true { leftOut += [padding] }
    }
    return Element(
      stride: Int(stride), alignment: Int(flags & 0xFF) + 1, varying: varying, leftOut: leftOut,
      unowned: unowned)
  }

  /// Whether it is the metadata of ObjectIdentifier: an object's address, which does not keep it.
  private static func isIdentity(_ metadata: UInt64, _ reader: inout MemoryReader) -> Bool {
    reader.word(at: metadata &+ 8).flatMap { TypeName.ofContext($0, &reader) } == "Swift.ObjectIdentifier"
  }

  /// The words that may hold references, ascending. `count` is the number of words in the block.
  func ranges(
    of object: UnsafeRawPointer, _ count: Int, _ existentials: inout ExistentialReader
  ) -> [Range<Int>] {
    switch shape {
    case .object(let extent, _, let words) where !extent.isContradicted(by: count):
      return words.reduce(ranges(of: object, count)) { ranges, word in
        ranges.flatMap { Self.cut($0, word.unused(of: object, count, &existentials)) }
      }
    case .array(let element) where !element.isWhole, .deque(let element) where !element.isWhole:
      return ranges(of: object, count).flatMap { Self.split($0, element, of: object, count, &existentials) }
    case .table(let key, let value) where !key.isWhole || value?.isWhole == false:
      // Ranges alternate between single keys and values.
      return ranges(of: object, count).enumerated().flatMap { index, range in
        Self.split(range, value == nil || index & 1 == 0 ? key : value!, of: object, count, &existentials)
      }
    default: return ranges(of: object, count)
    }
  }

  private static func cut(_ range: Range<Int>, _ unused: Range<Int>) -> [Range<Int>] {
    guard !unused.isEmpty, range.contains(unused.lowerBound), unused.upperBound <= range.upperBound else {
      return [range]
    }
    return [range.lowerBound..<unused.lowerBound, unused.upperBound..<range.upperBound]
  }

  /// A range of whole elements without the words of each that keep nothing alive.
  private static func split(
    _ range: Range<Int>, _ element: Element, of object: UnsafeRawPointer, _ count: Int,
    _ existentials: inout ExistentialReader
  ) -> [Range<Int>] {
    // An object that is searched whole begins at the second word.
    guard !element.isWhole, element.stride & 7 == 0, range.lowerBound >= 4 else { return [range] }
    var result: [Range<Int>] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: element.stride / 8) {
      let end = min(start + element.stride / 8, range.upperBound)
      // Excluded words and the unused ones, which differ from value to value, do not overlap.
      var gaps = element.leftOut.map { start + $0.lowerBound..<start + $0.upperBound }
      for words in element.varying { gaps += [words.unused(of: object, count, from: start, &existentials)] }
      if gaps.count > 1 { gaps.sort { $0.lowerBound < $1.lowerBound } }
      var next = start
      for gap in gaps where gap.upperBound <= end && gap.lowerBound >= next {
        if gap.lowerBound > next { result.append(next..<gap.lowerBound) }
        next = gap.upperBound
      }
      if next < end { result.append(next..<end) }
    }
    return result
  }

  /// Whether elements have `unowned` references.
  var hasUnownedElements: Bool {
    switch shape {
    case .array(let element), .deque(let element): !element.unowned.isEmpty
    case .table(let key, let value): !key.unowned.isEmpty || value?.unowned.isEmpty == false
    case .conservative, .text, .object: false
    }
  }

  /// The words with the `unowned` references of the elements.
  func unownedWords(of object: UnsafeRawPointer, _ count: Int) -> [Int] {
    ranges(of: object, count).enumerated().flatMap { index, range -> [Int] in
      let element: Element
      switch shape {
      case .array(let only), .deque(let only): element = only
      case .table(let key, let value): element = value == nil || index & 1 == 0 ? key : value!
      case .conservative, .text, .object: return []
      }
      // An object that is searched whole begins at the second word.
      guard element.stride & 7 == 0, range.lowerBound >= 4 else { return [] }
      return stride(from: range.lowerBound, to: range.upperBound, by: element.stride / 8).flatMap { start in
        element.unowned.map { start + $0 }.filter { $0 < range.upperBound }
      }
    }
  }

  private func ranges(of object: UnsafeRawPointer, _ count: Int) -> [Range<Int>] {
    let all = min(2, count)..<count
    switch shape {
    case .conservative: return [all]
    case .text:
      // Capacity in 48 bits, including the terminator; the highest bit means that there is space for breadcrumbs.
      let capacity = object.load(fromByteOffset: 16, as: UInt64.self)
      let word = (32 + Int(capacity & 0xFFFF_FFFF_FFFF) + 7) / 8
      return capacity >> 63 != 0 && word < count ? [word..<word + 1] : []
    case .object(let extent, let leftOut, _):
      if extent.isContradicted(by: count) { return [all] }
      let end = extent.end(of: count)
      var start = min(2, end)
      var ranges: [Range<Int>] = []
      for range in leftOut where range.lowerBound >= start && range.lowerBound <= end {
        ranges.append(start..<range.lowerBound)
        start = min(range.upperBound, end)
      }
      return ranges + [start..<end]
    case .array(let element):
      let stride = element.stride
      let elements = object.load(fromByteOffset: 16, as: UInt64.self)
      let room = count * 8 - 32
      guard room >= 0, elements <= UInt64(room / stride) else { return [all] }
      return [4..<(32 + Int(elements) * stride + 7) / 8]
    case .deque(let element): return slots(of: object, count, element)?.used ?? [all]
    case .table(let key, let value): return buckets(of: object, count, key, value) ?? [all]
    }
  }

  private func slots(of object: UnsafeRawPointer, _ count: Int, _ element: Element) -> DequeSlots? {
    let elements = Self.offset(DequeSlots.headerSize, aligned: element)
    return DequeSlots(of: object, words: count, elements: elements, stride: element.stride)
  }

  /// The words of an array's storage after its elements, or of a deque's next element, because code that fills one
  /// updates the count at the end. Nil for others.
  func spareWords(of object: UnsafeRawPointer, _ count: Int) -> Range<Int>? {
    if case .deque(let element) = shape { return slots(of: object, count, element)?.next }
    guard case .array = shape, let used = ranges(of: object, count).first, used.lowerBound == 4,
      used.upperBound < count
    else { return nil }
    return used.upperBound..<count
  }

  /// Native storage of Set and Dictionary: count, capacity, scale, seed, address of the keys, (address of the values,)
  /// a bit for each bucket in use. Nil if it is invalid.
  private func buckets(
    of object: UnsafeRawPointer, _ count: Int, _ keyType: Element, _ valueType: Element?
  ) -> [Range<Int>]? {
    let key = keyType.stride, value = valueType?.stride
    let bitmap = value == nil ? 56 : 64
    let scale = object.load(fromByteOffset: 32, as: Int8.self)
    guard count * 8 > bitmap, 0...40 ~= scale else { return nil }
    let buckets = 1 << Int(scale)
    // Keys follow the bitmap, and values the keys, each aligned.
    let bits = bitmap + max(1, buckets / 64) * 8
    guard bits + buckets * (key + (value ?? 0)) <= count * 8 + 64 else { return nil }
    let keys = Self.offset(bits, aligned: keyType)
    let values = valueType.map { Self.offset(keys + buckets * key, aligned: $0) }
    guard (values.map { $0 + buckets * (value ?? 0) } ?? keys + buckets * key) <= count * 8 else { return nil }
    // The storage's own addresses of them: objects begin at multiples of 16.
    let rawKeys = object.load(fromByteOffset: 48, as: UInt64.self)
    guard rawKeys & 15 == UInt64(keys & 15) else { return nil }
    if let values {
      guard object.load(fromByteOffset: 56, as: UInt64.self) &- rawKeys == UInt64(values - keys) else { return nil }
    }
    var ranges: [Range<Int>] = []
    for bucket in 0..<buckets {
      let word = object.load(fromByteOffset: bitmap + bucket / 64 * 8, as: UInt64.self)
      guard word >> UInt64(bucket & 63) & 1 != 0 else { continue }
      ranges.append((keys + bucket * key) / 8..<(keys + (bucket + 1) * key + 7) / 8)
      if let values, let value {
        ranges.append((values + bucket * value) / 8..<(values + (bucket + 1) * value + 7) / 8)
      }
    }
    return ranges
  }

  private static func offset(_ bytes: Int, aligned element: Element) -> Int {
    (bytes + element.alignment - 1) & ~(element.alignment - 1)
  }
}
