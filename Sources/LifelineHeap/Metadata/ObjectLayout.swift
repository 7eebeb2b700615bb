/// Which words of an object may be strong references.
struct ObjectLayout {
  private enum Shape {
    case conservative
    /// Words up to the instance's end, without these; what malloc gave beyond it is nobody's.
    case object(words: Int, leftOut: [Range<Int>])
    /// Elements of `stride` bytes from byte 32 on; the second word says how many.
    case array(stride: Int)
    /// A hash table with strides of keys and values; values are nil for a set.
    case table(key: Int, value: Int?)
  }

  private let shape: Shape
  /// For an object all of whose words count, and for what is searched whole: the words that its class has, `Int.max`
  /// for all of the block. Nil for the others.
  var plainWords: Int? {
    switch shape {
    case .conservative: .max
    case .object(let words, let leftOut): leftOut.isEmpty ? words : nil
    case .array, .table: nil
    }
  }

  /// Layouts by type index.
  static func layouts(of classes: inout ClassReader) -> [ObjectLayout] {
    classes.types.indices.map { index in
      let type = classes.types[index]
      let words = (Int(classes.instanceSizes[index]) + 7) / 8
      switch type.kind {
      case .object:
        return ObjectLayout(shape: .object(words: words, leftOut: leftOut(type.fields)))
      case .storage: return ObjectLayout(shape: storage(type, &classes.reader) ?? .conservative)
      default: return ObjectLayout(shape: .conservative)
      }
    }
  }

  /// Words of fields that keep nothing alive, ascending. Of several Bools in a row their common words are left out.
  private static func leftOut(_ fields: [HeapField]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for (index, field) in fields.enumerated() {
      if !field.isPlain {
        if field.ownership != .strong { result.append(field.offset / 8..<(field.offset + field.size) / 8) }
        continue
      }
      start = start ?? field.offset
      if index + 1 < fields.count, fields[index + 1].isPlain { continue }
      let bytes = field.offset + field.size
      let end = index + 1 < fields.count ? bytes : (bytes + 7) & ~7
      if let first = start, (first + 7) / 8 < end / 8 { result.append((first + 7) / 8..<end / 8) }
      start = nil
    }
    return result
  }

  private static func storage(_ type: HeapType, _ reader: inout MemoryReader) -> Shape? {
    let isArray = type.name.hasPrefix("Swift._ContiguousArrayStorage<")
    let isDictionary = type.name.hasPrefix("Swift._DictionaryStorage<"),
      isSet = type.name.hasPrefix("Swift._SetStorage<")
    guard isArray || isDictionary || isSet, let descriptor = reader.word(at: type.metadata + 40) else { return nil }
    let strides = TypeName.genericArguments(of: type.metadata, descriptor, isClass: true, &reader).map {
      argument -> Int in
      // The value witness table is found before the metadata; its tenth word is the stride.
      guard let witnesses = reader.word(at: argument &- 8), let stride = reader.word(at: witnesses + 72) else {
        return 0
      }
      return stride <= 1 << 20 ? Int(stride) : 0
    }
    guard !strides.isEmpty, strides.allSatisfy({ $0 > 0 }) else { return nil }
    if isArray { return .array(stride: strides[0]) }
    if isSet { return .table(key: strides[0], value: nil) }
    return strides.count > 1 ? .table(key: strides[0], value: strides[1]) : nil
  }

  /// The words that may hold references, ascending. `count` are all words of the block.
  func ranges(of object: UnsafeRawPointer, _ count: Int) -> [Range<Int>] {
    let all = min(2, count)..<count
    switch shape {
    case .conservative: return [all]
    case .object(let words, let leftOut):
      let end = Self.end(words: words, of: count)
      var start = min(2, end)
      var ranges: [Range<Int>] = []
      for range in leftOut where range.lowerBound >= start && range.upperBound <= end {
        ranges.append(start..<range.lowerBound)
        start = range.upperBound
      }
      return ranges + [start..<end]
    case .array(let stride):
      let elements = object.load(fromByteOffset: 16, as: UInt64.self)
      let room = count * 8 - 32
      guard room >= 0, elements <= UInt64(room / stride) else { return [all] }
      return [4..<(32 + Int(elements) * stride + 7) / 8]
    case .table(let key, let value): return buckets(of: object, count, key, value) ?? [all]
    }
  }

  /// Where the words of an object end in its block: what is more than malloc rounds up to is memory that the class
  /// itself asked for.
  @inline(__always)
  static func end(words: Int, of count: Int) -> Int { count - words >= 2 ? count : min(words, count) }

  /// Native storage of Set and Dictionary: count, capacity, scale, seed, keys, (values,) a bit for each bucket in use.
  /// Nil when that cannot be.
  private func buckets(
    of object: UnsafeRawPointer, _ count: Int, _ key: Int, _ value: Int?
  ) -> [Range<Int>]? {
    let bitmap = value == nil ? 56 : 64
    let scale = object.load(fromByteOffset: 32, as: Int8.self)
    guard count * 8 > bitmap, 0...40 ~= scale else { return nil }
    let buckets = 1 << Int(scale)
    // Keys stand behind the bitmap, values behind the keys, each aligned.
    let bits = bitmap + max(1, buckets / 64) * 8
    guard let keys = Self.offset(bits, aligned: key), bits + buckets * (key + (value ?? 0)) <= count * 8 + 64 else {
      return nil
    }
    let values = value.flatMap { Self.offset(keys + buckets * key, aligned: $0) }
    guard (values.map { $0 + buckets * (value ?? 0) } ?? keys + buckets * key) <= count * 8 else { return nil }
    guard max(1, buckets / 64) * 8 + bitmap <= count * 8 else { return nil }
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

  private static func offset(_ bytes: Int, aligned stride: Int) -> Int? {
    let alignment = min(16, stride & -stride)
    return (bytes + alignment - 1) & ~(alignment - 1)
  }
}
