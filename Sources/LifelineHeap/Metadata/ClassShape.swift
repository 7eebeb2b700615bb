/// The fixed part of a class's metadata, trusted only if all of it is plausible.
struct ClassShape {
  let superclass: UInt64
  let instanceSize: UInt32
  let descriptor: UInt64

  static let classKind: UInt32 = 16

  init?(_ metadata: UInt64, _ reader: inout MemoryReader) {
    guard let superclass = reader.word(at: metadata + 8), let addressPointOfInstance = reader.half(at: metadata + 20),
      let instanceSize = reader.half(at: metadata + 24), let size = reader.half(at: metadata + 32),
      let addressPoint = reader.half(at: metadata + 36), let descriptor = reader.word(at: metadata + 40),
      addressPointOfInstance == 0, instanceSize >= 16, instanceSize <= 1 << 24, addressPoint >= 16,
      addressPoint <= 4096,
      size > addressPoint, size <= 1 << 20, superclass & 7 == 0, descriptor & 3 == 0,
      let flags = reader.half(at: descriptor), flags & 0x1F == Self.classKind
    else { return nil }
    self.superclass = superclass
    self.instanceSize = instanceSize
    self.descriptor = descriptor
  }
}
