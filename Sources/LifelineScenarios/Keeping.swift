/// Returns its argument without the optimizer knowing that it does.
///
/// An optimized build frees an object right after its last use, puts one that nothing else sees on the stack, and
/// removes one that does nothing. A scenario that needs an object on the heap passes it through here. A line that
/// releases a reference keeps its line number in the backtrace if a statement follows it: `opaque(())` does.
@inline(never) @_optimize(none) @discardableResult
public func opaque<Value>(_ value: Value) -> Value { value }

/// Releases a variable's value here and not earlier.
///
/// An optimized build may release the references of variables before their scope ends. A scenario that needs one held
/// until a certain line releases it there.
@inline(never) @_optimize(none)
public func letGo<Object: AnyObject>(of reference: inout Object?) { reference = nil }
