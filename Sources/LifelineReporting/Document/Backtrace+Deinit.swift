extension Report.Backtrace {
  /// Whether it comes from the call of a deinit that freed an object, `end`, and from code after that.
  ///
  /// Another object's deinit that the same function calls next, or one that a merged deinit frees, runs the same code
  /// from its beginning, and uses the freed object before it frees its own. A deinit that was inlined into another one
  /// freed another object than that one's.
  func followsInDeinit(_ end: Report.Backtrace) -> Bool {
    let isInlined = end.frames.prefix { $0.isSystem || $0.isInlined }.contains { $0.isDeinit }
    guard !isInlined, thread == end.thread, event > end.event,
      let own = outsideOfRuntime, let freeing = end.outsideOfRuntime, let use = own.first, let free = freeing.first
    else { return false }
    return use.isDeinit && use.function == free.function && use.image == free.image && use.offset > free.offset
      && own.dropFirst().elementsEqual(freeing.dropFirst())
  }

  /// From the innermost frame that is not the toolchain's, or the function that it was inlined into.
  private var outsideOfRuntime: ArraySlice<Report.Frame>? {
    frames.firstIndex { !$0.isSystem && !$0.isInlined }.map { frames[$0...] }
  }
}
