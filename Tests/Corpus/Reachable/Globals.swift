// Objects that all kinds of globals hold until the end: variables, constants, lazy and file-private ones.
final class Thing { var value = 1; var other: Thing? }
var variable: Thing? = Thing()
let constant = Thing()
private var hidden = [Thing(), Thing()]
enum Names { static var lazy = Thing(); nonisolated(unsafe) static let pair = (Thing(), [1: Thing()]) }
@inline(never) func use() -> Int {
  variable?.other = Thing()
  constant.other = constant
  Names.lazy.other = variable
  return Names.pair.1.count + hidden.count
}
print(use())
