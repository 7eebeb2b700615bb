// object: Listener#1
// verdict: on time
// rule: 
// finding: none
// A list of observers is iterated while one removes itself: the loop's copy is not a framework's hold.
final class Listener { var calls = 0 }
final class Subject {
  var listeners: [Listener] = []
  @inline(never) func add() { listeners.append(Listener()) }
  @inline(never) func notify() {
    for listener in listeners {
      listener.calls += 1
      remove()
    }
  }
  @inline(never) func remove() {
    listeners.removeAll() // OWNER
  }
}
let subject = Subject()
subject.add()
subject.add()
subject.notify()
print("end")
