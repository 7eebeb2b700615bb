import LifelineReporting
import LifelineTestSupport
import Testing

/// Programs in which the obvious guess is wrong (`Tests/Corpus/Guesses`): the class that is named in the first lines
/// has a property for the object and never held it, or ("when: open") no longer holds it at the end. With "never", what
/// held it shows, so that is not even a guess. At the level "shown", the code shows that the property had it.
@Suite(.startsPrograms) struct GuessTests {
  @Test("The corpus has at least 20 programs in which the obvious guess is wrong")
  func size() { #expect(CorpusProgram.names(in: "Guesses").count >= 20) }

  @Test(
    "A property that only might have held an object is never stated as its certain holder", .timeLimit(.minutes(60)),
    arguments: CorpusBuild.tried(of: "Guesses"))
  func guess(_ build: CorpusBuild) throws {
    let source = try CorpusProgram(build.name, in: "Guesses")
    let program = try TestProgram(source.source, options: ["-g", build.level, "-module-name", "Guesses"])
    let run = try LifetimeRun(program, source.header("object"))
    #expect(!run.timeline.holds.isEmpty)
    for hold in run.timeline.holds {
      #expect(["sure", "likely", "perhaps"].contains(hold.confidence))
      // A running method of the class may be a holder: "Vault.begin()".
      guard hold.isOpen || source.header("when") != "open" else { continue }
      guard hold.sort == "owner", hold.holder.contains(source.header("guess")) else { continue }
      if source.header("shown") == build.level {
        #expect(hold.confidence == "likely" && hold.holder == "Vault#1.token" && !hold.isOpen)
        continue
      }
      #expect(source.header("never").isEmpty, "\(hold.holder) is not even guessed")
      #expect(hold.confidence == "perhaps" && hold.holder.hasPrefix("perhaps "), "\(hold.holder) is a guess")
    }
    #expect(
      run.report.findings.allSatisfy { $0.severity == "note" || $0.kind == "leak" }, "the only bugs are leaks")
  }

  @Test(
    "A contract that allows no actual holder is never reported as kept", .timeLimit(.minutes(60)),
    arguments: CorpusBuild.tried(of: "Guesses"))
  func contract(_ build: CorpusBuild) throws {
    let source = try CorpusProgram(build.name, in: "Guesses")
    let program = try TestProgram(source.source, options: ["-g", build.level, "-module-name", "Guesses"])
    let result = try withTemporaryFolder { folder in
      try "Token: holders only [Nobody]\n".write(toFile: "\(folder)/contract", atomically: true, encoding: .utf8)
      return try CommandResult.run(
        BuiltPackage.lifeline, ["check", "-o", "t", "--contract", "contract", "--", program.path], folder: folder)
    }
    #expect(result.output.contains("Token: holders only [Nobody]") && !result.output.contains("kept     Token"))
  }
}
