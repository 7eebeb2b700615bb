// leak: 1 Wrapper, 1 Content
// path: Wrapper.value, Content.wrapper
// A cycle through a property of type Any and one of type AnyObject.
final class Wrapper { var value: Any = 0 }
final class Content { var wrapper: AnyObject? }
@inline(never) func wrap() -> Bool {
  let wrapper = Wrapper() // ALLOC
  let content = Content() // ALLOC
  wrapper.value = content
  #if !CLEAN
  content.wrapper = wrapper // KEPT
  #endif
  return wrapper.value is Content
}
print(wrap())
