// leak: 3 Image
// findings: 1
// path:
// why: retain
// One retain too many, in a loop: three objects lost for one reason.
final class Image { var width = 2 }
@inline(never) func draw() -> Int {
  let image = Image() // ALLOC
  let reference = Unmanaged.passUnretained(image)
  _ = reference.retain() // KEPT
  let width = reference._withUnsafeGuaranteedRef { $0.width }
  #if CLEAN
  reference.release()
  #endif
  return width
}
print((0..<3).reduce(0) { sum, _ in sum + draw() }) // KEPT-CALL
