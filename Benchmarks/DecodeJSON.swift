// Decodes and encodes a document of many small objects, for Scripts/benchmark-programs. Usage: decode ROUNDS
import Foundation

struct Order: Codable {
  struct Item: Codable { var name: String, price: Double, tags: [String], count: Int? }
  var number: Int, customer: String, items: [Item], notes: [String: String]
}

let orders = (0..<400).map { number in
  Order(
    number: number, customer: "customer \(number % 37)",
    items: (0..<8).map {
      Order.Item(name: "item \($0)", price: Double($0) * 1.25, tags: ["a", "b\($0)"], count: $0 % 3 == 0 ? nil : $0)
    },
    notes: ["place": "shelf \(number % 9)", "hint": "none"])
}
let document = try JSONEncoder().encode(orders)
var sum = 0.0
for _ in 0..<Int(CommandLine.arguments[1])! {
  for order in try JSONDecoder().decode([Order].self, from: document) {
    for item in order.items { sum += item.price * Double(item.count ?? 1) }
  }
}
print(document.count, sum)
