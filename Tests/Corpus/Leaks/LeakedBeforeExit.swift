// leak: 1 Cursor, 1 Query
// path: Cursor.query, Query.cursor
// The program calls `exit` deep in another thread; memory below the stack pointers holds nothing.
import Glibc
final class Cursor { var query: Query? }
final class Query { var cursor: Cursor? }
@inline(never) func join(_ cursor: Cursor, _ query: Query) {
  cursor.query = query
  #if !CLEAN
  query.cursor = cursor // KEPT
  #endif
}
@_optimize(none) func open() {
  let cursor = Cursor() // ALLOC
  let query = Query() // ALLOC
  join(cursor, query) // KEPT-CALL
}
// Deeper than `leave`, whose frames have words that they do not write.
@inline(never) func descend(_ depth: Int) -> Int {
  if depth == 0 { open() } // KEPT-CALL
  return depth == 0 ? 0 : descend(depth - 1) + 1
}
@inline(never) func leave(_ depth: Int) -> Int {
  if depth == 0 { exit(0) }
  return leave(depth - 1) + 1
}
var thread = pthread_t()
pthread_create(&thread, nil, { _ in
  print(descend(200), leave(10)) // KEPT-CALL
  return nil
}, nil)
pthread_join(thread, nil)
