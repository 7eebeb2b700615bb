import LifelineAnalysis
import LifelineSymbolication
import LifelineTrace

/// Names for made-up addresses: each hundred is a function, so 0x1203 and 0x1288 are two places in the same one.
struct SampleNames: CodeNaming {
  var functions: [UInt64: CodeFrame] = [:]
  var storedProperties: [String: [StoredProperty]] = [:]
  var testFunctions: Set<String> = []
  var superclasses: [String: String] = [:]
  var variableTypes: [String] = []
  var referringValues: [String: [StoredProperty]] = [:]
  /// Full names of the classes with a handwritten deinit.
  var writtenDeinits: Set<String> = []
  /// What some of these call; the others call a closure.
  var deinitCalls: [String: DeinitCalls] = [:]
  /// Hundreds of functions that were optimized, or not.
  var optimized: [UInt64: Bool] = [:]
  /// By hundred of an inlined function: that of the function with its code.
  var inlinedInto: [UInt64: UInt64] = [:]
  /// Lines of closures, by the hundreds of their functions.
  var closureLines: [UInt64: Int] = [:]
  /// What the code at return addresses does with the references that it counts.
  var moves: [UInt64: ReferenceMove] = [:]
  /// Whether the last two digits of an address are its line.
  var hasLines = false

  /// Adds a function of the program.
  mutating func add(_ hundred: UInt64, _ name: String, mangled: String = "$s3App1fyyF") {
    functions[hundred] = CodeFrame(function: name, mangledName: mangled, image: "app")
  }

  /// Adds a function of a library, with a mangled name that contains its module.
  mutating func add(_ hundred: UInt64, _ name: String, library: String, mangled: String) {
    functions[hundred] = CodeFrame(function: name, mangledName: mangled, image: library, isSystem: true)
  }

  func frames(of sites: [BacktraceEntry]) -> [CodeFrame] {
    sites.filter(\.isFrame).flatMap { site in
      let hundreds = [site.lookupAddress >> 8] + (inlinedInto[site.lookupAddress >> 8].map { [$0] } ?? [])
      return hundreds.map { hundred in
        let frame = functions[hundred] ?? CodeFrame(function: "unknown", image: "app")
        guard hasLines else { return frame }
        return CodeFrame(
          function: frame.function, mangledName: frame.mangledName, image: frame.image, isSystem: frame.isSystem,
          line: Int(site.lookupAddress & 0xFF))
      }
    }
  }

  func line(ofClosureAt address: UInt64) -> Int? { closureLines[address >> 8] }
  func referenceMove(_ site: BacktraceEntry) -> ReferenceMove? { moves[site.lookupAddress + 1] }
  func isOptimized(_ site: BacktraceEntry) -> Bool? { optimized[site.lookupAddress >> 8] }
  func isDeinitWritten(_ className: String) -> Bool? { writtenDeinits.contains(className) }
  func callsInDeinit(of className: String) -> DeinitCalls? {
    writtenDeinits.contains(className) ? deinitCalls[className] ?? DeinitCalls(isIndirect: true) : nil
  }

  func functionIdentity(of site: BacktraceEntry) -> UInt64 {
    inlinedInto[site.lookupAddress >> 8] ?? site.lookupAddress >> 8
  }
}
