// Weak references to short-lived objects, from several threads at once.
import Foundation
final class Subject: @unchecked Sendable { let value = 1 }
final class Box: @unchecked Sendable { private let lock = NSLock(); private weak var subject: Subject?
  func set(_ subject: Subject?) { lock.lock(); self.subject = subject; lock.unlock() }
  func get() -> Int { lock.lock(); defer { lock.unlock() }; return subject?.value ?? 0 }
}
let box = Box()
let threads = (0..<3).map { number in
  Thread {
    for round in 0..<300 {
      if number == 0 { let subject = Subject(); box.set(subject); if round % 2 == 0 { box.set(nil) } } else { _ = box.get() }
    }
    finished.signal()
  }
}
let finished = DispatchSemaphore(value: 0)
for thread in threads { thread.start() }
for _ in threads { finished.wait() }
print("end")
