// Thread dictionaries and task locals of the thread that ends the program.
import Foundation
final class Formatter { var uses = 0 }
enum Request { @TaskLocal static var formatter: Formatter? }
@inline(never) func remember() { Thread.current.threadDictionary["formatter"] = Formatter() }
remember()
Request.$formatter.withValue(Formatter()) {
  Request.formatter?.uses += 1
  print((Thread.current.threadDictionary["formatter"] as? Formatter)?.uses ?? -1)
  exit(0)
}
