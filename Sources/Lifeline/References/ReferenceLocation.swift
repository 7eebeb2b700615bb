import CLifelineHarness

/// The location of a tracked reference: its address and the object that has it as a property; zeros where unknown.
@frozen @usableFromInline
struct ReferenceLocation {
  @usableFromInline let address: UInt
  @usableFromInline let owner: UInt

  /// A reference without a location yet, because it is being created.
  @usableFromInline @_transparent
  init() {
    address = 0
    owner = 0
  }

  /// `reference` is passed inout only for its address.
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

  /// Bytes from the owner to the reference; 0 if there is no owner or the offset exceeds the trace's 16 bits.
  var offset: UInt32 {
    let offset = address &- owner
    return owner == 0 || offset > 0xFFFF ? 0 : UInt32(offset)
  }

  /// "Detail.parent" if the reference is an object's property. It is looked up once for each class and property.
  var propertyName: UnsafePointer<CChar>? {
    let offset = UInt64(offset)
    guard offset != 0, let owner = UnsafePointer<UInt>(bitPattern: owner) else { return nil }
    let metadata = owner.pointee
    let name =
      lifeline_harness_name(UInt64(metadata), offset)
      ?? Timeline.unrecorded {
        let name = PropertyName(class: unsafeBitCast(metadata, to: Any.Type.self), offset: Int(offset))
        return (name?.text ?? "").withCString { lifeline_harness_remember(UInt64(metadata), offset, $0)! }
      }
    return name.pointee == 0 ? nil : name
  }
}

extension ReferenceLocation {
  /// Records what the reference at this location did; its declaration comes first. For nil nothing is recorded.
  @inline(__always)
  func note(_ what: lifeline_reference_operation, _ strength: lifeline_strength, _ object: UInt) {
    // An outer nil is 1.
    guard object > 1, let declaration = UnsafePointer<lifeline_declaration>(bitPattern: address) else { return }
    lifeline_harness_note(
      declaration, UInt64(object), what.rawValue | strength.rawValue << 8 | offset << 16, UInt64(address), propertyName)
  }

  /// Records that the reference is about to change from `old` to `new`; a change to nil is a clear.
  @inline(__always)
  func noteChange(_ strength: lifeline_strength, from old: UInt, to new: UInt) {
    if new <= 1 {
      note(LIFELINE_REFERENCE_clear, strength, old)
    } else {
      note(LIFELINE_REFERENCE_set, strength, new)
    }
  }
}

/// The address of a reference that is passed inout.
@usableFromInline @_transparent
func pointer<Reference>(to reference: UnsafeMutablePointer<Reference>) -> UnsafeMutablePointer<Reference> { reference }
