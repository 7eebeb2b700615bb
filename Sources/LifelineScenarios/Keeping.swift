/// Gives back what it gets, and the optimizer cannot tell that it does.
///
/// An optimized build frees an object right after its last use, puts one that nobody else sees on the stack, and leaves
/// out one that does nothing. A story that needs an object on the heap passes it through here. A line that gives up a
/// reference keeps its number in the backtrace when something follows it: `opaque(())` does.
@inline(never) @_optimize(none) @discardableResult
public func opaque<Value>(_ value: Value) -> Value { value }

/// Releases what a variable holds, here and not earlier.
///
/// Before a scope ends, an optimized build has released the references of its variables already. A story that needs one
/// to be held until a certain line lets go of it there.
@inline(never) @_optimize(none)
public func letGo<Object: AnyObject>(of reference: inout Object?) { reference = nil }
