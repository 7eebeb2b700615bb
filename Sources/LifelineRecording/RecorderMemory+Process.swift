import CLifelineFormat
import Glibc
import LifelineHeap

extension RecorderMemory {
  /// The recorder's memory in a stopped process that did not report it; empty if the process has no recorder.
  ///
  /// Memory that is not found counts as the program's, so it can hide a leak, but not invent one.
  public init(of process: Int) {
    self.init()
    let memory = RemoteMemory(process: pid_t(process))
    for image in ProcessImage.images(of: process) where image.path.hasSuffix("/libLifelineProbe.so") {
      guard let library = LoadedLibrary(image.addresses, memory),
        let address = library.function(LIFELINE_OWN_MEMORY),
        let places = memory.read(lifeline_own_memory_places.self, at: address),
        places.magic == LIFELINE_EXAMINE_MAGIC
      else { continue }
      read(places, memory)
      return
    }
  }

  private mutating func read(_ places: lifeline_own_memory_places, _ memory: RemoteMemory) {
    func value<Value: BitwiseCopyable>(_ pointer: UnsafePointer<Value>?) -> Value? {
      memory.read(Value.self, at: UInt64(UInt(bitPattern: pointer)))
    }
    guard let count = value(places.range_count), let zombieStart = value(places.zombies),
      let guardStart = value(places.guards), let guardSize = value(places.guard_size),
      let owners = value(places.guard_owners), let pages = value(places.guard_pages)
    else { return }
    let size = Int(min(count, UInt32(LIFELINE_EXAMINE_RANGES))) * MemoryLayout<lifeline_range>.stride
    guard let bytes = memory.read(UInt64(UInt(bitPattern: places.ranges)), count: size) else { return }
    ranges = bytes.withUnsafeBytes { Array($0.bindMemory(to: lifeline_range.self)) }
      .compactMap { $0.begin < $0.end ? $0.begin..<$0.end : nil }
    if zombieStart != Self.nowhere { zombies = Self.range(zombieStart, places.zombie_size) }
    if guardStart != Self.nowhere, let range = Self.range(guardStart, guardSize) {
      guards = range
      guardOwners = UInt64(UInt(bitPattern: owners))
      guardPages = Int(clamping: min(pages, guardSize / 4096))
    }
    trace = TargetProcess.trace(of: Int(memory.process)) ?? ""
  }

  /// Nil if the memory of the process was overwritten.
  private static func range(_ start: UInt64, _ size: UInt64) -> Range<UInt64>? {
    let (end, overflow) = start.addingReportingOverflow(size)
    return overflow ? nil : start..<end
  }

  private static let nowhere = UInt64(1) << 63
}
