// object: Settings#1
// verdict: never
// rule: 
// finding: none
// A singleton lives until the end, as it should.
final class Settings { nonisolated(unsafe) static let shared = Settings(); var value = CommandLine.arguments.count }
@inline(never) func use() -> Int { Settings.shared.value }
print(use())
