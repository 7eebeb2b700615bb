// leak: 1 Fetch, 1 Failure
// path: Fetch.result, Failure.fetch
// A cycle through a boxed error.
final class Fetch { var result: Result<Int, any Error>? }
final class Failure: Error, @unchecked Sendable { var fetch: Fetch? }
@inline(never) func fail() -> Bool {
  let fetch = Fetch() // ALLOC
  let failure = Failure() // ALLOC
  fetch.result = .failure(failure)
  #if !CLEAN
  failure.fetch = fetch // KEPT
  #endif
  return fetch.result != nil
}
print(fail())
