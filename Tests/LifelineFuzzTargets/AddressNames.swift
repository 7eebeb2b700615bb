import LifelineAnalysis
import LifelineSymbolication
import LifelineTrace

/// Names functions by their addresses, for a diagnosis without symbols.
struct AddressNames: CodeNaming {
  var storedProperties: [String: [StoredProperty]] { [:] }
  var superclasses: [String: String] { [:] }

  func frames(of sites: [BacktraceEntry]) -> [CodeFrame] {
    sites.map { CodeFrame(function: "function \($0.word)", image: "app") }
  }

  func functionIdentity(of site: BacktraceEntry) -> UInt64 { site.word >> 4 }
}
