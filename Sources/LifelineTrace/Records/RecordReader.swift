import CLifelineFormat

/// Reads the records of information chunks into the tables.
struct RecordReader {
  var tables = TraceTables()
  private(set) var damaged = 0

  /// Reads one chunk's contents; stops at the first incomplete record.
  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    while bytes.count - position >= 8 {
      let kind = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      let size = Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
      if kind == 0 { return }
      guard size >= 8, size % 8 == 0, size <= bytes.count - position else {
        damaged += 1
        return
      }
      var fields = RecordFieldReader(UnsafeRawBufferPointer(rebasing: bytes[position + 8..<position + size]))
      read(kind: kind, &fields)
      if fields.failed { damaged += 1 }
      position += size
    }
  }

  private mutating func read(kind: UInt32, _ fields: inout RecordFieldReader) {
    switch kind {
    case LIFELINE_RECORD_program.rawValue:
      let count = fields.word32()
      let path = fields.string()
      var arguments: [String] = []
      while arguments.count < count, !fields.failed { arguments.append(fields.string()) }
      guard !fields.failed else { return }
      tables.programPath = path
      tables.arguments = arguments
    case LIFELINE_RECORD_image.rawValue: readImage(&fields)
    case LIFELINE_RECORD_imageGone.rawValue:
      let id = Int(fields.word32())
      _ = fields.word32()
      let clock = fields.word64()
      if let index = tables.images.firstIndex(where: { $0.id == id }) { tables.images[index].unloaded = clock }
    case LIFELINE_RECORD_class.rawValue: readClass(&fields)
    case LIFELINE_RECORD_threadBegin.rawValue:
      let number = Int(fields.word32())
      let kernelID = Int(fields.word32())
      let clock = fields.word64()
      let name = fields.string()
      guard !fields.failed else { return }
      tables.threads[number] = ThreadRecord(number: number, kernelID: kernelID, name: name, began: clock)
    case LIFELINE_RECORD_threadName.rawValue:
      let number = Int(fields.word32())
      _ = fields.word32()
      let name = fields.string()
      if !fields.failed { tables.threads[number]?.name = name }
    case LIFELINE_RECORD_threadEnd.rawValue:
      let number = Int(fields.word32())
      _ = fields.word32()
      tables.threads[number]?.ended = fields.word64()
    case LIFELINE_RECORD_older.rawValue:
      let classID = Int(fields.word32())
      _ = fields.word32()
      let address = fields.word64()
      if !fields.failed, tables.olderObjects[address] == nil { tables.olderObjects[address] = classID }
    case LIFELINE_RECORD_sample.rawValue:
      let denominator = Int(fields.word32())
      _ = fields.word32()
      let clock = fields.word64()
      guard !fields.failed, denominator > 0 else { return }
      tables.sampleChanges.append(SampleChange(denominator: denominator, clock: clock))
    default: readText(kind: kind, &fields)
    }
  }

  private mutating func readText(kind: UInt32, _ fields: inout RecordFieldReader) {
    // A later revision may add kinds.
    guard kind >= LIFELINE_RECORD_program.rawValue, kind <= LIFELINE_RECORD_option.rawValue else { return }
    if kind == LIFELINE_RECORD_option.rawValue {
      let key = fields.string()
      let value = fields.string()
      if !fields.failed { tables.options[key] = value }
      return
    }
    let first = fields.word32()
    _ = fields.word32()
    let text = fields.string()
    guard !fields.failed else { return }
    switch kind {
    case LIFELINE_RECORD_string.rawValue: tables.strings[Int(first)] = text
    case LIFELINE_RECORD_detour.rawValue:
      guard let status = TraceTables.Detour.Status(rawValue: first) else { return }
      tables.detours.append(TraceTables.Detour(entryPoint: text, status: status))
    case LIFELINE_RECORD_notice.rawValue: tables.notices.append(text)
    case LIFELINE_RECORD_runtime.rawValue:
      tables.runtime = TraceTables.RuntimePlace(rawValue: first)
      tables.runtimePath = text
    default: break
    }
  }

  private mutating func readImage(_ fields: inout RecordFieldReader) {
    let id = Int(fields.word32())
    let flags = fields.word32()
    let bias = fields.word64()
    let first = fields.word64()
    let end = fields.word64()
    let clock = fields.word64()
    let buildID = fields.data()
    let path = fields.string()
    guard !fields.failed, first < end else { return }
    tables.images.append(
      Image(
        id: id, path: path, loadBias: bias, addresses: first..<end, buildID: buildID,
        isMain: flags & LIFELINE_IMAGE_MAIN != 0, isSystem: flags & LIFELINE_IMAGE_SYSTEM != 0, loaded: clock))
  }

  private mutating func readClass(_ fields: inout RecordFieldReader) {
    let id = Int(fields.word32())
    let flags = fields.word32()
    let metadata = fields.word64()
    let superclass = fields.word64()
    let size = Int(fields.word32())
    let image = Int(fields.word32())
    let name = fields.string()
    guard !fields.failed else { return }
    let sort: ClassRecord.Sort =
      flags & LIFELINE_CLASS_OBJECT != 0
      ? .object
      : flags & LIFELINE_CLASS_BOX != 0 ? .box : flags & LIFELINE_CLASS_CLOSURE != 0 ? .closure : .other
    tables.classes[id] = ClassRecord(
      id: id, name: name, sort: sort, metadata: metadata, superclass: superclass, instanceSize: size, image: image,
      isGuarded: flags & LIFELINE_CLASS_GUARDED != 0, isCounted: flags & LIFELINE_CLASS_UNCOUNTED == 0)
  }
}
