// Singletons that refer to each other both ways.
import Foundation
final class Center: @unchecked Sendable { static let shared = Center(); var clients: [Client] = [] }
final class Client { let center: Center; init(_ center: Center) { self.center = center } }
final class Queue: NSObject, @unchecked Sendable { static let shared = Queue(); lazy var own: () -> Queue = { self } }
@inline(never) func use() -> Int {
  Center.shared.clients.append(Client(.shared))
  return Center.shared.clients.count + (Queue.shared.own() === Queue.shared ? 1 : 0)
}
print(use())
