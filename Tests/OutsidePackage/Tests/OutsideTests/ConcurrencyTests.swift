import LifelineTesting
import Testing

final class MainNode: Node {}
final class GroupNode: Node {}
final class ArgumentNode: Node {}
final class ActorNode: Node {}
actor Keeper {
  private var kept: ActorNode?
  func keep() { kept = ActorNode() }
  func drop() { kept = nil }
}

/// Objects of tests that run in many tasks and on actors; "leaks with an argument" must fail for one argument.
@Suite(.lifetimes(.noLeaks, .noUseAfterFree)) struct ConcurrencyTests {
  @Test("clean on the main actor") @MainActor func mainActor() async {
    let node = MainNode()
    node.next = MainNode()
    await Task.yield()
    await expectNoLeaks {
      await Task.yield()
      _ = MainNode()
    }
    node.next = nil
  }

  @Test("clean in a group") func group() async {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let node = GroupNode()
          await Task.yield()
          node.list = [GroupNode()]
          return node.list.count
        }
      }
      for await count in group { #expect(count == 1) }
    }
  }

  @Test("clean with an actor") func actor() async {
    let keeper = Keeper()
    await keeper.keep()
    await keeper.drop()
  }

  @Test("leaks with an argument", arguments: [false, true, false]) func argument(_ leaks: Bool) async {
    let node = ArgumentNode()
    await Task.yield()
    if leaks { node.next = node }
  }
}
