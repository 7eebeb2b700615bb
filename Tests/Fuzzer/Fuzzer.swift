import Foundation
import LifelineFuzzTargets

/// LIFELINE_FUZZ_TARGET names the reader, LIFELINE_FUZZ_BASE the ELF file that inputs modify.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["LIFELINE_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else { fatalError("LIFELINE_FUZZ_TARGET names no reader: '\(name)'") }
  return target
}()

private let base = ProcessInfo.processInfo.environment["LIFELINE_FUZZ_BASE"].flatMap { ElfBase(path: $0) }

// https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library; it comes without a header.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target.read(Array(UnsafeBufferPointer(start: bytes, count: count)), base: base)
  return 0
}

/// The package manager names a program's main function after the program, so libFuzzer's own is not linked.
@_cdecl("lifeline_fuzz_main")
public func main(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments, testOneInput)
}
