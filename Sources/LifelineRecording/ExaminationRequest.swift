import CLifelineFormat
import CPtrace
import Glibc
import LifelineHeap

/// What an ending process reports about itself (lifeline_examine.h).
struct ExaminationRequest: Sendable {
  /// In our numbering, whatever the process's own is.
  let process: Int
  let recorder: RecorderMemory

  /// Nil if the connection does not contain a request.
  init?(_ connection: Int32) {
    var request = lifeline_examine_request()
    guard withUnsafeMutableBytes(of: &request, { Self.receive($0, connection) }),
      request.magic == LIFELINE_EXAMINE_MAGIC,
      request.range_count <= LIFELINE_EXAMINE_RANGES, request.path_size <= LIFELINE_EXAMINE_PATH
    else { return nil }
    var ranges = [lifeline_range](repeating: lifeline_range(), count: Int(request.range_count))
    var path = [UInt8](repeating: 0, count: Int(request.path_size))
    guard ranges.withUnsafeMutableBytes({ Self.receive($0, connection) }),
      path.withUnsafeMutableBytes({ Self.receive($0, connection) })
    else { return nil }
    let peer = lifeline_peer(connection)
    guard peer > 0 else { return nil }
    var recorder = RecorderMemory()
    recorder.ranges = ranges.compactMap(Self.range)
    recorder.zombies = Self.range(request.zombies)
    recorder.guards = Self.range(request.guards)
    recorder.guardOwners = request.guard_owners
    recorder.guardPages = Int(clamping: request.guard_pages)
    if let thread = Self.thread(Int(request.thread), of: Int(peer)) {
      recorder.thread = thread
      recorder.stackPointer = request.stack_pointer
      recorder.exitCalls = withUnsafeBytes(of: request.exit_calls) { Array($0.bindMemory(to: UInt64.self)) }
        .prefix { $0 != 0 }.map { $0 }
      recorder.exitFrame = request.exit_frame
      recorder.exitRegisters = withUnsafeBytes(of: request.registers) { Array($0.bindMemory(to: UInt64.self)) }
    }
    recorder.trace = String(decoding: path, as: UTF8.self)
    process = Int(peer)
    self.recorder = recorder
  }

  /// Our number of a thread, whose own number is that of its process's namespace: the last one of NSpid (proc(5)).
  private static func thread(_ number: Int, of process: Int) -> Int? {
    ([number] + ProcessFile.numbers(in: "/proc/\(process)/task")).first { candidate in
      let status = ProcessFile.lines(of: "/proc/\(process)/task/\(candidate)/status")
      let own = status.first { $0.hasPrefix("NSpid:") }?.split(whereSeparator: \.isWhitespace).last
      return own.flatMap { Int($0) } == number
    }
  }

  private static func range(_ range: lifeline_range) -> Range<UInt64>? {
    range.begin < range.end ? range.begin..<range.end : nil
  }

  private static func receive(_ buffer: UnsafeMutableRawBufferPointer, _ connection: Int32) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = recv(connection, buffer.baseAddress! + done, buffer.count - done, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
