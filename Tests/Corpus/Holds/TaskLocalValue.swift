// object: Span#1
// verdict: on time
// rule: task-local
// finding: none
// never: a Swift task
// A task-local value is bound to it during a call; no task runs.
final class Span: Sendable { let id = 5 }
enum Scope { @TaskLocal static var span: Span? }
final class Tracer {
  var span: Span?
  @inline(never) func begin() { span = Span() }
  @inline(never) func end() { span = nil }
  @inline(never) func within() {
    Scope.$span.withValue(span!) {
      end()
      print(Scope.span!.id)
    }
  }
}
let tracer = Tracer()
tracer.begin()
tracer.within()
print("end")
