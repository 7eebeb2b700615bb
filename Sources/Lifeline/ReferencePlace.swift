import CLifelineHarness

/// Where a tracked reference lies: its address, and the object that it is a property of; zeros where that is not known.
@frozen @usableFromInline
struct ReferencePlace {
  @usableFromInline let address: UInt
  @usableFromInline let owner: UInt

  /// A reference that lies nowhere yet: one that is being made.
  @usableFromInline @_transparent
  init() {
    address = 0
    owner = 0
  }

  /// `reference` is passed inout, for its address only.
  @usableFromInline @_transparent
  init<Reference>(_ reference: UnsafeMutablePointer<Reference>) {
    address = UInt(bitPattern: reference)
    owner = 0
  }

  @usableFromInline @_transparent
  init<Reference>(_ reference: UnsafeMutablePointer<Reference>, in owner: AnyObject) {
    address = UInt(bitPattern: reference)
    self.owner = unsafeBitCast(owner, to: UInt.self)
  }

  /// Bytes from the owner to the reference; 0 when there is no owner, or it is too large for the trace's 16 bits.
  var offset: UInt32 {
    let offset = address &- owner
    return owner == 0 || offset > 0xFFFF ? 0 : UInt32(offset)
  }

  /// "Detail.parent", when the reference is an object's property. It is looked up once for each class and property.
  var propertyName: UnsafePointer<CChar>? {
    let offset = UInt64(offset)
    guard offset != 0, let owner = UnsafePointer<UInt>(bitPattern: owner) else { return nil }
    let metadata = owner.pointee
    let name = lifeline_harness_name(UInt64(metadata), offset) ?? Timeline.unrecorded {
      let name = PropertyName(class: unsafeBitCast(metadata, to: Any.Type.self), offset: Int(offset))
      return (name?.text ?? "").withCString { lifeline_harness_remember(UInt64(metadata), offset, $0)! }
    }
    return name.pointee == 0 ? nil : name
  }
}

/// The address of a reference that is passed inout.
@usableFromInline @_transparent
func pointer<Reference>(to reference: UnsafeMutablePointer<Reference>) -> UnsafeMutablePointer<Reference> { reference }
