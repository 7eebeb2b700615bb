// Storage that Swift's own containers keep separately: slices, lazy sequences, iterators, key paths, mutexes.
import Foundation
final class Cell { var value = 1 }
var slice: ArraySlice<Cell> = []
var iterator: AnyIterator<Cell>?
var path: AnyKeyPath?
var reduced: (() -> [Cell])?
let lock = NSLock()
var guarded: [Int: Cell] = [:]
@inline(never) func fill() -> Int {
  let cells = (0..<6).map { _ in Cell() }
  slice = cells[2..<4]
  iterator = AnyIterator(cells.lazy.filter { $0.value == 1 }.makeIterator())
  let kept = Cell()
  path = \[Cell].[kept.value]
  reduced = { [first = cells[0]] in [first, kept] }
  lock.withLock { guarded[1] = Cell() }
  return slice.count + (iterator?.next()?.value ?? 0)
}
print(fill())
