/// Which mappings are data of an image: those of a file that is also mapped executable, and anonymous memory that
/// follows.
///
/// The kernel merges an image's zeroed data with anonymous memory that happens to follow it. The image's program
/// headers show where it ends.
struct ImageMap {
  struct Image {
    let path: String
    let base: UInt64
    /// Whether it is the program's: neither the system's nor the recorder's.
    let isOwn: Bool
    var addresses: Range<UInt64>

    /// Whether it is the recorder, whose tables contain addresses of objects but keep none.
    var isRecorder: Bool { Self.isRecorder(path) }

    static func isRecorder(_ path: String) -> Bool { path.hasSuffix("/libLifelineProbe.so") }

    /// Whether it is the standard library.
    var isCore: Bool { path.hasSuffix("/libswiftCore.so") }
  }

  private(set) var images: [Image] = []
  /// The image of each region, −1 for none.
  private(set) var imageOfRegion: [Int]

  /// - Parameter reader: Reads the program headers of the program's own images and of the recorder's; without it, all
  /// memory that follows an image belongs to it.
  init(_ regions: [MemoryRegion], systemFolders: [String], reader: MemoryReader? = nil) {
    var reader = reader
    imageOfRegion = Array(repeating: -1, count: regions.count)
    // The C and Swift libraries may be anywhere; files next to them are system files.
    let runtime = regions.first { $0.path.hasSuffix("/libswiftCore.so") }.map {
      String($0.path.dropLast("libswiftCore.so".count))
    }
    let folders = systemFolders + (runtime.map { [$0] } ?? [])
    for (index, region) in regions.enumerated() {
      if region.inode != 0, region.path.hasPrefix("/"), !region.isShared {
        if let last = images.last, last.path == region.path,
          region.addresses.lowerBound - last.addresses.lowerBound < 1 << 32
        {
          images[images.count - 1].addresses = last.addresses.lowerBound..<region.addresses.upperBound
        } else {
          images.append(
            Image(
              path: region.path, base: region.addresses.lowerBound &- region.fileOffset,
              isOwn: !folders.contains { region.path.hasPrefix($0) } && !Image.isRecorder(region.path),
              addresses: region.addresses))
        }
        imageOfRegion[index] = images.count - 1
      } else if region.isAnonymous, region.path.isEmpty || region.path.hasPrefix("[anon"), let last = images.last,
        last.addresses.upperBound == region.addresses.lowerBound, index > 0, imageOfRegion[index - 1] >= 0
      {
        // Data that is zero at the start has no bytes in the file.
        var end = region.addresses.upperBound
        if last.isOwn || last.isRecorder, reader != nil {
          // Memory that may be the program's must not be treated as the recorder's.
          end = min(end, reader?.imageEnd(at: last.base) ?? (last.isRecorder ? region.addresses.lowerBound : end))
        }
        guard end > region.addresses.lowerBound else { continue }
        images[images.count - 1].addresses = last.addresses.lowerBound..<end
        imageOfRegion[index] = images.count - 1
      }
    }
  }

  /// The part of a region that belongs to an image, and what follows it; an empty range if there is none.
  func parts(ofRegion index: Int, _ addresses: Range<UInt64>) -> (image: Range<UInt64>, rest: Range<UInt64>) {
    let image = imageOfRegion[index]
    let end = image < 0 ? addresses.lowerBound : addresses.clamped(to: images[image].addresses).upperBound
    return (addresses.lowerBound..<end, end..<addresses.upperBound)
  }

  /// Calls `body` with each word of the writable data of the program's own images: region, address and word.
  func forEachOwnWord(_ source: any MemorySource, _ body: (Int, UInt64, UInt64) -> Void) {
    for (index, region) in source.regions.enumerated() where region.isReadable && region.isWritable {
      let image = imageOfRegion[index]
      guard image >= 0, images[image].isOwn, let bytes = source.bytes(ofRegion: index) else { continue }
      for offset in stride(from: 0, to: parts(ofRegion: index, region.addresses).image.count & ~7, by: 8) {
        let address = region.addresses.lowerBound + UInt64(offset)
        body(index, address, bytes.load(fromByteOffset: offset, as: UInt64.self))
      }
    }
  }

  /// Whether the program has the Swift runtime in itself, with the standard library's classes.
  var isRuntimeLinkedIn: Bool { !images.contains(where: \.isCore) }

  /// Whether a region belongs to the standard library.
  func isCore(region: Int) -> Bool { imageOfRegion[region] >= 0 && images[imageOfRegion[region]].isCore }

  /// Whether an address is in one of the program's own images.
  func isOwn(_ address: UInt64) -> Bool { image(at: address)?.isOwn == true }

  /// Whether an address is in any image.
  func contains(_ address: UInt64) -> Bool { image(at: address) != nil }

  /// The image that contains an address.
  func image(at address: UInt64) -> Image? {
    var low = 0, high = images.count
    while low < high {
      let middle = (low + high) / 2
      if images[middle].addresses.upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < images.count && images[low].addresses.contains(address) ? images[low] : nil
  }
}
