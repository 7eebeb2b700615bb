import Reader

print(Session().run(closing: CommandLine.arguments.contains("--close")))
