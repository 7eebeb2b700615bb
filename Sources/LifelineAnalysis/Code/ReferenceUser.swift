import LifelineTrace

/// The code that used an object through a reference. If a struct has that reference, as a property wrapper may, it is
/// the code that called the struct.
struct ReferenceUser {
  let function: CodeFrame
  let name: ParsedFunctionName
  /// The methods of such structs, which may have received the object themselves.
  let between: [FrameFacts]

  /// Nil if no function of the program is known.
  init?(_ backtrace: BacktraceID, _ sites: CallSiteTable, _ classes: ClassTable) {
    let site = sites.site(backtrace)
    guard let function = site.function, let name = site.name else { return nil }
    func isBetween(_ name: ParsedFunctionName) -> Bool {
      !name.isClosure && name.typeName.map(classes.isReferringValue) == true
    }
    guard isBetween(name) else {
      (self.function, self.name, between) = (function, name, [])
      return
    }
    let own = sites.facts(backtrace).joined().drop { $0.isLibrary || $0.frame.function != function.function }
      .filter { !$0.isLibrary && $0.isMeaningful }
    let between = own.prefix { isBetween($0.name) }
    guard let user = own.dropFirst(between.count).first else { return nil }
    (self.function, self.name, self.between) = (user.frame, user.name, Array(between))
  }
}
