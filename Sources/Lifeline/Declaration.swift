import CLifelineHarness

/// Where a tracked reference is declared: what the compiler fills in by itself.
@frozen @usableFromInline
struct Declaration: @unchecked Sendable {
  // Literals: they live as long as the program.
  @usableFromInline let file: UnsafePointer<UInt8>
  @usableFromInline let function: UnsafePointer<UInt8>
  @usableFromInline let line: UInt

  @inlinable @inline(__always)
  init(_ file: StaticString, _ line: UInt, _ function: StaticString) {
    self.file = file.utf8Start
    self.function = function.utf8Start
    self.line = line
  }

  @usableFromInline
  var record: lifeline_declaration {
    UnsafeRawPointer(file).withMemoryRebound(to: CChar.self, capacity: 1) { file in
      UnsafeRawPointer(function).withMemoryRebound(to: CChar.self, capacity: 1) { function in
        lifeline_declaration(file: file, function: function, line: UInt64(line))
      }
    }
  }

  /// Records what a reference did; `object` is the address, nothing is recorded for nil.
  @usableFromInline @inline(never)
  func note(_ what: lifeline_reference_operation, _ strength: lifeline_strength, _ object: UInt, at reference: UnsafeRawPointer? = nil) {
    var record = record
    lifeline_harness_recorder().pointee.reference(&record, UnsafeRawPointer(bitPattern: object), what.rawValue | strength.rawValue << 8, reference)
  }
}
