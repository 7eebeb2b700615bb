// A command's `main` returns a value; the objects of its frame are gone, those of its statics are not.
final class Command { static var last: Command?; var arguments: [String]; init(_ arguments: [String]) { self.arguments = arguments } }
@inline(never) func start() -> Int {
  let command = Command(CommandLine.arguments)
  Command.last = command
  return command.arguments.count
}
print(start())
