// leak: 1 Span, 1 Tracer
// path: Span.tracer, Tracer.current
// A task-local value ends with its scope; the cycle behind it remains.
final class Tracer: @unchecked Sendable { var current: Span? }
final class Span: @unchecked Sendable {
  #if CLEAN
  weak var tracer: Tracer?
  #else
  var tracer: Tracer?
  #endif
}
enum Tracing { @TaskLocal static var span: Span? }
@inline(never) func trace() -> Bool {
  let tracer = Tracer() // ALLOC
  let span = Span() // ALLOC
  span.tracer = tracer // KEPT
  tracer.current = span // KEPT-CALL
  return Tracing.$span.withValue(span) { Tracing.span === tracer.current }
}
print(trace())
