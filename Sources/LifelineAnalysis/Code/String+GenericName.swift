extension String {
  /// "Store.Row" of "Store<(_)>.Row": frames name a generic type without its arguments, classes of objects with them.
  public var withoutTypeArguments: String {
    guard contains("<") else { return self }
    var depth = 0
    var last: Character?
    var isRaw = false
    return filter { character in
      // Within a raw identifier, `<b>`, every character belongs to the name.
      if character == "`" { isRaw.toggle() }
      if isRaw || character == "`" { return depth == 0 }
      defer {
        // The arrow of a function type does not close a bracket.
        if character == ">", last != "-", depth > 0 { depth -= 1 }
        last = character
      }
      if character == "<" { depth += 1 }
      return depth == 0
    }
  }
}
