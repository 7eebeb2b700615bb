import LifelineReporting
import Testing

@Suite struct CallTestsTests {
  @Test("Calls made by a test belong to it, in XCTest and Swift Testing; calls that run tests belong to none")
  func places() {
    var tree = CallTree()
    func node(
      _ caller: Int, _ function: String, mangledName: String? = nil, image: String = "AppTests.xctest",
      isSystem: Bool = false
    ) -> Int {
      tree.child(
        of: caller,
        tree.index(of: CallFrame(function: function, mangledName: mangledName, image: image, isSystem: isSystem)))
    }
    let main = node(0, "main")
    let runner = node(main, "XCTestCase.invokeTest()", image: "libXCTest.so", isSystem: true)
    let xctest = node(runner, "SessionTests.testClosing()")
    let session = node(xctest, "Session.close()")
    let library = node(session, "Array.append(_:)", image: "libswiftCore.so", isSystem: true)
    let wrapper = node(main, "closure #1", mangledName: "$s8AppTests7closing4TestfMp_7__localfMu0_")
    let closing = node(wrapper, "closing()")
    let cache = node(closing, "Cache.init()")
    let generator = node(main, "closure #1", mangledName: "$s8AppTests7closing4TestfMp_25generator0a9fMu_yYaYbFZ")
    let trait = node(generator, "Trait.lifetimes()")
    let tests = CallTests(tree)
    #expect([generator, trait].map { tests.test(of: $0) } == [nil, nil], "the arguments of @Test")
    #expect([main, runner, wrapper].map { tests.test(of: $0) } == [nil, nil, nil])
    #expect(
      [xctest, session, library].map { tests.test(of: $0) } == Array(repeating: "SessionTests.testClosing()", count: 3))
    #expect([closing, cache].map { tests.test(of: $0) } == ["closing()", "closing()"])
  }
}
