/// All names of one image: its symbol table and its debug information, wherever that lies.
final class ImageSymbols {
  /// Why the image cannot be symbolicated, or nil.
  let problem: String?
  private let file: ELFFile?
  private var debugFile: ELFFile?
  private var debug: DebugInformation?
  private var symbols: SymbolTable?

  init(_ image: SymbolicationImage) {
    guard let file = ELFFile(path: image.path) else {
      self.file = nil
      // The kernel's own page has no file.
      problem = image.path.hasPrefix("[") || image.path.hasPrefix("linux-vdso") ? nil
        : "The file \(image.path) cannot be read as ELF; its frames are shown as offsets."
      return
    }
    let buildID = file.buildID
    guard image.buildID.isEmpty || buildID == image.buildID else {
      self.file = nil
      problem =
        "The file \(image.path) has changed since it was recorded (build ID \(Self.hex(buildID)), recorded \(Self.hex(image.buildID))); its frames are shown as offsets."
      return
    }
    self.file = file
    problem = nil
    let separate = file.hasDebugInformation ? nil : DebugFileLocator().locate(for: file)
    debugFile = separate
    debug = file.hasDebugInformation || separate != nil ? DebugInformation(separate ?? file) : nil
    symbols = SymbolTable(separate ?? file)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.isEmpty ? "none" : bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  func symbol(at address: UInt64) -> SymbolTable.Symbol? { symbols?.find(address) }

  func debug(at address: UInt64) -> (line: LineTable.Row?, functions: [FunctionTable.Entry]) {
    debug?.find(address) ?? (nil, [])
  }
}
