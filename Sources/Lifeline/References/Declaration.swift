import CLifelineHarness

/// Where a tracked reference is declared, filled in by the compiler.
///
/// A cell begins with it, in the layout of the recorder's `lifeline_declaration`.
@frozen @usableFromInline
struct Declaration: @unchecked Sendable {
  // Literals, so they live as long as the program.
  @usableFromInline let file: UnsafePointer<UInt8>
  @usableFromInline let function: UnsafePointer<UInt8>
  @usableFromInline let line: UInt

  @usableFromInline @_transparent
  init(_ file: StaticString, _ line: UInt, _ function: StaticString) {
    self.file = file.utf8Start
    self.function = function.utf8Start
    self.line = line
  }

  /// Records what a reference did; for nil nothing is recorded. Like all of this it is neither generic nor inlined,
  /// because it is the cold side of a branch.
  @usableFromInline @inline(never) @_effects(releasenone)
  func note(_ what: lifeline_reference_operation, _ strength: lifeline_strength, _ object: UInt) {
    // An outer nil is 1.
    if object <= 1 { return }
    var record = record(named: nil)
    lifeline_harness_note(&record, UInt64(object), what.rawValue | strength.rawValue << 8, 0, nil)
  }

  /// The declaration for the recorder; once known, the property's name replaces the enclosing type.
  private func record(named name: UnsafePointer<CChar>?) -> lifeline_declaration {
    lifeline_declaration(
      file: UnsafeRawPointer(file).assumingMemoryBound(to: CChar.self),
      function: name ?? UnsafeRawPointer(function).assumingMemoryBound(to: CChar.self), line: UInt64(line))
  }

  /// Records a use after free through a reference.
  func noteLost(_ strength: lifeline_strength, _ object: UInt, at place: ReferenceLocation = ReferenceLocation()) {
    var record = record(named: place.propertyName)
    lifeline_harness_recorder().pointee.lost(
      &record, UnsafeRawPointer(bitPattern: object), strength.rawValue << 8 | place.offset << 16,
      UnsafeRawPointer(bitPattern: place.address))
  }
}
