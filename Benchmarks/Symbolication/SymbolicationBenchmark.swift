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
    var input = AddressReader()
    var output = FrameWriter(symbolicator)
    var locations: [CodeLocation] = []
    while let address = input.next() {
      symbolicator.locate(address, into: &locations)
      output.write(locations)
    }
    output.flush()
    if let problem = symbolicator.problems.first {
      print(problem)
      exit(74)
    }
    // Not a return: giving back thousands of tables takes longer than the end of the process.
    exit(0)
  }
}
