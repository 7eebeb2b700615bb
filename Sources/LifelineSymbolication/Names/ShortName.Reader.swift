extension ShortName {
  /// Reads a demangled name from front to back and keeps what a developer would say.
  struct Reader {
    let name: UnsafeBufferPointer<UInt8>
    var result: [UInt8] = []
    var position = 0
    /// Within a type or an effect, of which nothing is kept.
    private var isSkipping = false
    private var isClosure = false
    private var isConformance = false

    init(name: UnsafeBufferPointer<UInt8>) {
      self.name = name
      result.reserveCapacity(min(name.count, 128))
    }

    mutating func read() {
      // Without Objective-C this is the C function that a closure was passed as.
      _ = skip("@objc ")
      while position < name.count {
        let byte = name[position]
        if byte == Byte.space {
          if !readSeparator() { return }
        } else if isSkipping {
          position = Byte.opens(name[position]) ? endOfGroup(position) : max(position + 1, endOfIdentifier(position))
        } else if isAtStartOfWord {
          readWord()
        } else {
          readPunctuation()
        }
      }
    }

    // MARK: Between words

    /// Reads a space and the phrase that it begins; false when nothing after it is worth saying.
    private mutating func readSeparator() -> Bool {
      if skip(" in conformance ") {
        say(" in conformance ")
        isSkipping = false
        isConformance = true
        return true
      }
      if has(" with unmangled suffix") || has(" and conformance ") || (isConformance && has(" : ")) { return false }
      if has(" in ") {
        // A skipped type may be local, "Local #1 in App.run() -> ()": its context belongs to it.
        let belongsToType = isSkipping && endsWithNumber(position)
        position += 4
        if !belongsToType {
          isSkipping = false
          isClosure = false
          say(" in ")
        }
      } else if skip(" dispatching to ") {
        isSkipping = false
        say(" dispatching to ")
      } else if isSkipping {
        position += 1
      } else if has(" -> ") || has(" : ") || has(" async ") || has(" throws") || has(" @") {
        isSkipping = true
        position += 1
      } else if has(" infix") || has(" prefix(") || has(" postfix(") || has(" prefix<") || has(" postfix<") {
        position += 1
        while position < name.count, Byte.isIdentifier(name[position]) { position += 1 }
      } else {
        if result.last != Byte.space, !result.isEmpty { result.append(Byte.space) }
        position += 1
      }
      return true
    }

    // MARK: Words

    private var isAtStartOfWord: Bool {
      guard
        endOfIdentifier(position) > position || name[position] == Byte.openParenthesis
      else { return false }
      return position == 0 || !(Byte.isIdentifier(name[position - 1]) || name[position - 1] == Byte.dot)
    }

    private mutating func readWord() {
      for prefix in Self.specializations where has(prefix) {
        if let open = name[position...].firstIndex(of: UInt8(ascii: "<")) {
          let end = endOfGroup(open)
          position = has(" of ", at: end) ? end + 4 : end
          return
        }
      }
      // The code of several functions that differ in a constant: the name is one of theirs.
      if skip("merged ") { return say("merged ") }
      if skip("partial apply forwarder for ") { return say("partial apply for ") }
      if skip("reabstraction thunk helper") {
        say("reabstraction thunk")
        isSkipping = true
        return
      }
      if skip("(extension in ") { return skipExtension() }
      if name[position] == Byte.openParenthesis { return readParenthesis() }
      if has("closure #") { isClosure = true }
      readPath()
    }

    /// "App.Store.value" → "Store.value"; a path of a property's accessor alone, as in local types, has no module.
    private mutating func readPath() {
      if skip("(extension in ") { skipExtension() }
      let end = endOfIdentifier(position)
      if end > position, end < name.count, name[end] == Byte.dot, !isAccessor(from: end + 1) { position = end + 1 }
      copyPath()
    }

    private mutating func copyPath() {
      while position < name.count {
        if let end = endOfOperator() {
          result += name[position..<end]
          position = end
          return
        }
        let byte = name[position]
        if byte == Byte.backtick, case let end = endOfIdentifier(position), end > position {
          result += name[position..<end]
          position = end
        } else if byte == Byte.dot, result.last == Byte.dot || result.isEmpty {
          position += 1
        } else if byte == Byte.dot || Byte.isIdentifier(byte) {
          result.append(byte)
          position += 1
        } else if byte == Byte.openParenthesis, position > 0, name[position - 1] == Byte.dot {
          readParenthesis()
        } else {
          return
        }
      }
    }

    // MARK: Punctuation and groups

    private mutating func readPunctuation() {
      switch name[position] {
      case UInt8(ascii: "<"):
        position = endOfGroup(position)
      case Byte.openParenthesis:
        readParenthesis()
      default:
        if let end = endOfOperator(), end > position {
          result += name[position..<end]
          position = end
        } else if name[position] == Byte.dot {
          copyPath()
        } else {
          result.append(name[position])
          position += 1
        }
      }
    }

    /// "(1) await resume partial function for " and "(frc in _7F2E)", parameters, or a tuple.
    private mutating func readParenthesis() {
      let end = endOfGroup(position)
      let inside = (position + 1)..<max(position + 1, end - 1)
      for phrase in Self.resumptions where has(phrase, at: end) {
        position = end + phrase.utf8CodeUnitCount
        return
      }
      if position > 0, name[position - 1] == Byte.dot {
        // A private name with its discriminator; one that the compiler could not tell has none.
        let word = endOfIdentifier(inside.lowerBound)
        if has(" in ", at: word) { result += name[inside.lowerBound..<word] }
        position = end
        return
      }
      position = end
      guard !isClosure, let last = result.last else { return }
      if last == Byte.space {
        // A local function: "helper #1 (x: Swift.Int)".
        guard result.count > 1, Byte.isDigit(result[result.count - 2]) else { return say("(…)") }
        result.removeLast()
      }
      result.append(Byte.openParenthesis)
      sayLabels(inside)
      result.append(Byte.closeParenthesis)
    }

    /// "delegate: App.Delegate, Swift.Int" → "delegate:_:".
    private mutating func sayLabels(_ parameters: Range<Int>) {
      var start = parameters.lowerBound
      while start < parameters.upperBound {
        let word = endOfIdentifier(start)
        if word > start, word + 1 < parameters.upperBound, name[word] == Byte.colon, name[word + 1] == Byte.space {
          result += name[start..<word]
        } else {
          result.append(UInt8(ascii: "_"))
        }
        result.append(Byte.colon)
        while start < parameters.upperBound, name[start] != Byte.comma {
          start = Byte.opens(name[start]) ? endOfGroup(start) : start + 1
        }
        start += 2
      }
    }

    private mutating func skipExtension() {
      var depth = 1
      while position < name.count, depth > 0 {
        if name[position] == Byte.openParenthesis { depth += 1 }
        if name[position] == Byte.closeParenthesis { depth -= 1 }
        position += 1
      }
      if position < name.count, name[position] == Byte.colon { position += 1 }
    }
  }
}
