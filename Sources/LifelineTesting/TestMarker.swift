/// Writes a number into the backtraces of everything that a piece of code causes.
///
/// Tests run at the same time on the same threads, so neither time nor thread tells whose an allocation is; but its
/// backtrace does, across suspensions too, because the probe follows asynchronous callers. The number is told by the names
/// of functions on the way: `lifelineMarkBegin`, and one of four for each digit to the base 4.
enum TestMarker {
  /// Runs `body` so that its allocations can be told by `number`.
  static func run<Result>(
    _ number: UInt32, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    try await lifelineMarkBegin(number, isolation: isolation, body)
  }

  /// The numbers in a backtrace whose functions are given from the outermost inwards.
  static func numbers(in functions: some Sequence<String>) -> Set<UInt32> {
    var numbers: Set<UInt32> = []
    var current: UInt32?
    for function in functions {
      guard let range = function.firstRange(of: "lifelineMark") else {
        // The functions of `body` follow; a number is complete when anything else does.
        if !function.contains("lifelineNextMark"), let number = current {
          numbers.insert(number)
          current = nil
        }
        continue
      }
      let name = function[range.upperBound...]
      if name.hasPrefix("Begin") {
        if let number = current { numbers.insert(number) }
        current = 0
      } else if let digit = ["Zero", "One", "Two", "Three"].firstIndex(where: { name.hasPrefix($0) }), let number = current {
        current = number &* 4 &+ UInt32(digit)
      }
    }
    if let number = current { numbers.insert(number) }
    return numbers
  }
}

/// Something to do after the call, or it would be a jump and leave no frame; different everywhere, or the linker would
/// make one function of all.
@inline(never) @_optimize(none) private func stay(_ digit: Int) {}

private func lifelineNextMark<Result>(
  _ number: UInt32, _ digits: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
) async throws -> Result {
  guard digits > 0 else { return try await body() }
  switch number >> UInt32(2 * (digits - 1)) & 3 {
  case 0: return try await lifelineMarkZero(number, digits - 1, isolation: isolation, body)
  case 1: return try await lifelineMarkOne(number, digits - 1, isolation: isolation, body)
  case 2: return try await lifelineMarkTwo(number, digits - 1, isolation: isolation, body)
  default: return try await lifelineMarkThree(number, digits - 1, isolation: isolation, body)
  }
}

@inline(never)
private func lifelineMarkBegin<Result>(
  _ number: UInt32, isolation: isolated (any Actor)?, _ body: () async throws -> Result
) async throws -> Result {
  defer { stay(4) }
  let digits = (UInt32.bitWidth - number.leadingZeroBitCount + 1) / 2
  return try await lifelineNextMark(number, digits, isolation: isolation, body)
}

@inline(never)
private func lifelineMarkZero<Result>(
  _ number: UInt32, _ digits: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
) async throws -> Result {
  defer { stay(0) }
  return try await lifelineNextMark(number, digits, isolation: isolation, body)
}

@inline(never)
private func lifelineMarkOne<Result>(
  _ number: UInt32, _ digits: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
) async throws -> Result {
  defer { stay(1) }
  return try await lifelineNextMark(number, digits, isolation: isolation, body)
}

@inline(never)
private func lifelineMarkTwo<Result>(
  _ number: UInt32, _ digits: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
) async throws -> Result {
  defer { stay(2) }
  return try await lifelineNextMark(number, digits, isolation: isolation, body)
}

@inline(never)
private func lifelineMarkThree<Result>(
  _ number: UInt32, _ digits: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
) async throws -> Result {
  defer { stay(3) }
  return try await lifelineNextMark(number, digits, isolation: isolation, body)
}
