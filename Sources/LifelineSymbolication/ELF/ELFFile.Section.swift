extension ELFFile {
  /// A line of the section table, as the file says; nothing in it is checked.
  struct Section {
    let number: Int
    /// libelf's own.
    let handle: OpaquePointer
    let name: String
    let type: UInt32
    /// Where it lies in the image.
    let address: UInt64
    let offset: UInt64
    let size: UInt64
    let entrySize: UInt64
    /// The number of a section that belongs to this one: a symbol table's strings.
    let link: Int
    let isCompressed: Bool
    let isExecutable: Bool
  }
}
