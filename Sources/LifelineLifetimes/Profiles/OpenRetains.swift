import LifelineTrace

/// Retains not yet balanced by a release, the newest ones of each object, and whether another owner has released it
/// since.
///
/// A release balances the newest retain of the same call: equal thread, and equal backtraces outside of the two sites.
/// Memory is bounded: beyond `depth` per object or `capacity` in all, retains are ignored.
struct OpenRetains {
  private struct Node {
    var next: Int32
    var backtrace: UInt32
    var sample: Int32
    var thread: UInt32
    var isDisturbed: Bool
  }

  private static let depth = 8
  private static let capacity = 4 << 20
  private var nodes = GrowingBuffer<Node>()
  private var unused: Int32 = -1

  func deallocate() { nodes.deallocate() }

  mutating func push(_ head: inout Int32, _ backtrace: BacktraceID, sample: Int, thread: UInt32) {
    var last: Int32 = -1
    var node = head
    var length = 1
    while node >= 0, length < Self.depth {
      last = node
      node = nodes[Int(node)].next
      length += 1
    }
    if node >= 0, last >= 0 {
      nodes[Int(last)].next = -1
      release(chain: node)
    }
    let fresh = Node(
      next: head, backtrace: backtrace.rawValue, sample: Int32(truncatingIfNeeded: sample), thread: thread,
      isDisturbed: false)
    if unused >= 0 {
      let place = unused
      unused = nodes[Int(place)].next
      nodes[Int(place)] = fresh
      head = place
    } else if nodes.count < Self.capacity {
      nodes.append(fresh)
      head = Int32(nodes.count - 1)
    }
  }

  /// Takes a release; returns the sample of the retain that could have been avoided with it, or -1.
  ///
  /// - Parameter isLast: The object has no owner after it.
  mutating func pop(
    _ head: inout Int32, _ backtrace: BacktraceID, thread: UInt32, isLast: Bool, _ table: BacktraceTable
  ) -> Int {
    let caller = table.caller(of: backtrace)
    var before: Int32 = -1
    var node = head
    while node >= 0 {
      let open = nodes[Int(node)]
      if open.thread == thread, table.caller(of: BacktraceID(rawValue: open.backtrace)) == caller {
        if before >= 0 { nodes[Int(before)].next = open.next } else { head = open.next }
        nodes[Int(node)].next = unused
        unused = node
        return open.isDisturbed || isLast ? -1 : Int(open.sample)
      }
      // Retained later than the reference being released: to it, another owner's release.
      nodes[Int(node)].isDisturbed = true
      before = node
      node = open.next
    }
    return -1
  }

  /// The object was freed.
  mutating func clear(_ head: inout Int32) {
    if head >= 0 { release(chain: head) }
    head = -1
  }

  private mutating func release(chain: Int32) {
    var last = chain
    while nodes[Int(last)].next >= 0 { last = nodes[Int(last)].next }
    nodes[Int(last)].next = unused
    unused = chain
  }
}
