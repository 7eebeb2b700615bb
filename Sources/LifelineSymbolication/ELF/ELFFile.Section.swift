extension ELFFile {
  /// An unchecked row of the section table.
  struct Section {
    let number: Int
    /// libelf's section handle.
    let handle: OpaquePointer
    let name: String
    let type: UInt32
    /// Its address in the image.
    let address: UInt64
    let offset: UInt64
    let size: UInt64
    let entrySize: UInt64
    /// The number of a related section, such as a symbol table's strings.
    let link: Int
    let isCompressed: Bool
    let isExecutable: Bool
  }
}
