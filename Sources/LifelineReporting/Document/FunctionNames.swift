import LifelineLifetimes
import LifelineTrace

/// The functions that allocated, by name, for any number of backtraces of one trace.
///
/// A recursive program has a million backtraces with the same innermost calls. Those calls, up to one that the
/// programmer wrote, decide the name, so each such sequence is examined once.
public final class FunctionNames {
  private struct Beginning: Hashable {
    let className: String
    let entries: ArraySlice<BacktraceEntry>
  }

  private struct Place: Hashable {
    let className: String
    let entry: BacktraceEntry
  }

  private let names: Names
  private var allocators: [Beginning: String] = [:]
  private var isAllocator: [Place: Bool] = [:]

  public init(_ names: Names) { self.names = names }

  /// The function that allocated an object, as named by `Names.allocator`.
  public func allocator(_ sites: [BacktraceEntry], of className: String) -> String {
    let end = sites.firstIndex { allocates($0, className) } ?? sites.count - 1
    let beginning = Beginning(className: className, entries: sites.prefix(end + 1))
    if let known = allocators[beginning] { return known }
    let name = names.allocator(Array(beginning.entries), of: className)
    allocators[beginning] = name
    return name
  }

  private func allocates(_ entry: BacktraceEntry, _ className: String) -> Bool {
    let place = Place(className: className, entry: entry)
    if let known = isAllocator[place] { return known }
    let answer = frames(entry).contains {
      Fingerprint.isOwn($0) && !Fingerprint.isInitializer(Fingerprint.name($0), of: className)
    }
    isAllocator[place] = answer
    return answer
  }

  /// Whether `Names.caller` returns the same for all backtraces with the same innermost calls up to this one: it is a
  /// call of a function that the programmer wrote.
  public func tellsCaller(_ entry: BacktraceEntry) -> Bool {
    frames(entry).contains { Fingerprint.isOwn($0) && $0.isOutsideOfRuntime }
  }

  private func frames(_ entry: BacktraceEntry) -> [Report.Frame] {
    names.backtrace([entry], role: "", thread: 0, event: 0).frames
  }
}
