/// Which classes of one file conform to which protocols (section swift5_protocol_conformances).
///
/// The section has relative pointers to descriptors (swift/ABI/Metadata.h), whose first words lead to the protocol and
/// to the type. The lowest bit of the first says that it is reached through a pointer; so does the kind in the fourth
/// word of the second.
struct ConformanceTable {
  /// By full class name. A protocol of the file is called by its full name, another file's by its symbol.
  let protocols: [String: Set<String>]

  init(_ data: SectionData, _ pointers: PointerTable) {
    var found: [String: Set<String>] = [:]
    for address in data.addresses(of: "swift5_protocol_conformances").map({
      stride(from: $0.lowerBound, to: $0.upperBound, by: 4)
    })
    .map(Array.init) ?? [] {
      guard let descriptor = data.target(at: address), let flags = data.word(at: descriptor &+ 12),
        let type = Self.type(at: descriptor &+ 4, flags, data, pointers),
        data.contextKind(at: type) == SectionData.ContextKind.classType, let name = data.contextName(at: type),
        let reference = data.target(at: descriptor),
        let key = Self.protocolName(reference, data, pointers)
      else { continue }
      found[name, default: []].insert(key)
    }
    protocols = found
  }

  private static func type(
    at address: UInt64, _ flags: UInt32, _ data: SectionData, _ pointers: PointerTable
  ) -> UInt64? {
    let target = data.target(at: address)
    return switch flags >> 3 & 7 {
    case 0: target
    case 1: target.flatMap(pointers.target)
    default: nil
    }
  }

  private static func protocolName(_ reference: UInt64, _ data: SectionData, _ pointers: PointerTable) -> String? {
    guard reference & 1 == 1 else { return data.contextName(at: reference) }
    let pointer = reference & ~1
    return pointers.target(at: pointer).flatMap(data.contextName) ?? pointers.symbol(at: pointer)
  }
}
