import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// A monitor uses a panel by its unowned(unsafe) reference inside of a post that keeps the panel.
@Suite struct GivenReferenceTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4

  private static var names: SampleNames {
    var names = StoryTests.names
    names.optimized = [0x13: false]
    names.add(0x16, "Panel.show(in:)", mangled: "$s3App5PanelC4show2inyAA7MonitorC_tF")
    names.add(0x19, "bind(_:_:)", mangled: "$s3App4bindyyAA7MonitorC_AA5PanelCtF")
    names.add(0x1A, "Pair.join()", mangled: "$s3App4PairV4joinyyF")
    names.add(0x1B, "Panel.update()", mangled: "$s3App5PanelC6updateyyF")
    names.add(0x1D, "print(_:)", mangled: "$s3App5printyyAA5PanelCF")
    names.add(0x1E, "run(_:_:)", mangled: "$s3App3runyyAA7MonitorC_AA5PanelCtF")
    return names
  }

  /// The panel's events are inside of the post, in `function` before the monitor's method; `isBefore` says whether that
  /// came before the last owner's release.
  private func findings(
    _ function: UInt64, isBefore: Bool = false, names: SampleNames = Self.names
  ) throws -> [Finding] {
    let around: [UInt64] = [0x1002, 0x1E01, 0x2101]
    return try StoryTests().diagnose(names: names) { stream in
      StoryTests().open(&stream)
      func call(_ count: Int64) {
        stream.add(Self.retain, 0x5000, count: count + 1, at: around + [function + 1])
        stream.add(Self.release, 0x5000, count: count, at: around + [function + 9])
      }
      stream.add(Self.retain, 0x9000, count: 2, at: around + [0x1201])
      if isBefore { call(2) }
      stream.add(Self.release, 0x5000, count: 1, at: around + [0x1205])
      if !isBefore { call(1) }
      stream.add(Self.retain, 0x5000, count: 2, at: around + [0x1301])
      stream.add(Self.release, 0x5000, count: 1, at: around + [0x1309])
      stream.add(Self.release, 0x9000, count: 1, at: around + [0x1208])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1002, 0x1E01, 0x2150], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1002, 0x1E01, 0x2150])
    }.findings
  }

  private func nearMiss(
    _ function: UInt64, isBefore: Bool = false, names: SampleNames = Self.names
  ) throws -> Finding? {
    try findings(function, isBefore: isBefore, names: names).first { $0.kind == .nearMiss }
  }

  @Test(
    "An activity that called something with the object and its user may have stored the reference: no near miss",
    arguments: [0x1600, 0x1700, 0x1900, 0x1A00], [true, false])
  func given(_ function: UInt64, _ isBefore: Bool) throws {
    #expect(try nearMiss(function, isBefore: isBefore) == nil)
  }

  @Test("The object's own method alone did not store it; a function that had it may have, in a variable's object")
  func apart() throws {
    #expect(try nearMiss(0x1B00)?.severity == .warning)
    #expect(try nearMiss(0x1D00)?.severity == .note)
  }

  @Test("A store of an unmanaged reference makes no event in any code, so it is a note unless it is a constant")
  func unmanaged() throws {
    var names = Self.names
    var property = StoredProperty(name: "target", strength: .unmanaged, typeNames: ["App.Panel"])
    names.storedProperties["App.Monitor"] = [property]
    #expect(try nearMiss(0x1B00, names: names)?.severity == .note)
    property.isConstant = true
    names.storedProperties["App.Monitor"] = [property]
    #expect(try nearMiss(0x1B00, names: names)?.severity == .warning)
  }

  @Test(
    "It is a note if optimized code may have stored the reference without an event, or a closure that had the object")
  func unseen() throws {
    var optimized = Self.names
    optimized.optimized = [0x13: true]
    #expect(try nearMiss(0x1B00, names: optimized)?.isPerhapsGiven == true)
    optimized.optimized = [:]
    let unseen = try nearMiss(0x1B00, names: optimized)
    #expect(unseen?.severity == .note && unseen?.isPerhapsGiven == true)
    var constant = StoredProperty(name: "target", strength: .unownedUnsafe, typeNames: ["App.Panel"])
    constant.isConstant = true
    optimized.storedProperties["App.Monitor"] = [constant]
    #expect(try nearMiss(0x1B00, names: optimized)?.severity == .warning, "only an initializer sets a constant")
    var closure = Self.names
    closure.add(0x1B, "closure #1 in open()")
    #expect(try nearMiss(0x1B00, names: closure)?.severity == .note)
    #expect(try nearMiss(0x1B00, isBefore: true, names: closure)?.severity == .note, "before its owner let go, too")
  }
}
