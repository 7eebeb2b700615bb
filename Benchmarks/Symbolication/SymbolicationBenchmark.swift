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
    var output = ""
    while let line = readLine() {
      guard let address = UInt64(line.dropFirst(line.hasPrefix("0x") ? 2 : 0), radix: 16) else { continue }
      for frame in symbolicator.locations(at: address) {
        output += "\(frame.mangledName ?? "??")\n\(frame.file ?? "??"):\(frame.line ?? 0)\n"
      }
      output += "\n"
    }
    print(output, terminator: "")
  }
}
