import LifelineHeap
import LifelineSymbolication

extension HeapMemory {
  /// Reads names of types that cannot be copied from the symbols of the program's files, which are opened when the
  /// first such type is met.
  public mutating func readTypeNames() {
    let regions = source.regions
    var known: Symbolicator?
    typeName = { address in
      let symbolicator =
        known
        ?? Symbolicator(
          images: ProcessImage.images(in: regions).map {
            SymbolicationImage(
              path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: [], isSystem: $0.isSystem)
          })
      known = symbolicator
      guard let symbol = symbolicator.symbol(at: address), symbol.start == address else { return nil }
      return UncopiedType.name(ofSymbol: symbol.name)
    }
  }
}
