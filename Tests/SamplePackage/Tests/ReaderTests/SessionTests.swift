import Reader
import Testing

@Test func articlesAreShown() { #expect(Session().run(closing: false) == 3) }

@Test func closingWhileLoading() { #expect(Session().run(closing: true) == 0) }
