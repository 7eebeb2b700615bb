import Glibc
import LifelineSymbolication

/// Symbolicates the file addresses on standard input, one in hexadecimal a line, in the image that is named, and
/// prints what llvm-symbolizer prints for them: linkage name and file:line of every frame, an empty line after each.
@main
enum SymbolicationBenchmark {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: symbolication-benchmark IMAGE < addresses")
      exit(64)
    }
    let image = SymbolicationImage(
      path: CommandLine.arguments[1], loadBias: 0, addresses: 0..<UInt64(Int64.max), buildID: [], isSystem: false)
    let symbolicator = Symbolicator(images: [image])
    var locations: [CodeLocation] = []
    var output: [UInt8] = []
    forEachAddress { address in
      symbolicator.locate(address, into: &locations)
      for location in locations {
        append(location.name == TextTable.none ? "??" : symbolicator.texts[location.name], to: &output)
        output.append(UInt8(ascii: "\n"))
        append(location.file == TextTable.none ? "??" : symbolicator.texts[location.file], to: &output)
        output.append(UInt8(ascii: ":"))
        append(location.line, to: &output)
        output.append(UInt8(ascii: "\n"))
      }
      output.append(UInt8(ascii: "\n"))
      if output.count > 1 << 16 { flush(&output) }
    }
    flush(&output)
    if let problem = symbolicator.problems.first {
      print(problem)
      exit(74)
    }
  }

  private static func forEachAddress(_ body: (UInt64) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      var address: UInt64 = 0
      while case let count = read(0, buffer.baseAddress, buffer.count), count > 0 {
        for byte in buffer[..<count] {
          switch byte {
          case UInt8(ascii: "0")...UInt8(ascii: "9"): address = address << 4 | UInt64(byte & 0xF)
          case UInt8(ascii: "a")...UInt8(ascii: "f"): address = address << 4 | UInt64(byte &- UInt8(ascii: "a") &+ 10)
          case UInt8(ascii: "\n"):
            body(address)
            address = 0
          default: address = 0
          }
        }
      }
    }
  }

  private static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { output.append(contentsOf: $0) }
  }

  private static func append(_ number: Int32, to output: inout [UInt8]) {
    var rest = number
    let start = output.count
    repeat {
      output.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    output[start...].reverse()
  }

  private static func flush(_ output: inout [UInt8]) {
    output.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = write(1, bytes.baseAddress! + written, bytes.count - written)
        if count <= 0 { exit(74) }
        written += count
      }
    }
    output.removeAll(keepingCapacity: true)
  }
}
