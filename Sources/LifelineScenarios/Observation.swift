import Glibc

/// Writes a line of the scenario to standard output immediately.
public func tell(_ line: String) { Output.write(line + "\n", to: STDOUT_FILENO) }

/// Prints a measured value; if it is not the expected one, the process ends with status 1.
public func observe<Value: Equatable>(
  _ what: String, _ value: Value, is expected: Value, file: StaticString = #file, line: UInt = #line
) {
  tell("\(what): \(value)")
  guard value != expected else { return }
  Output.write("\(file):\(line): \(what) should be \(expected), but is \(value).\n", to: STDERR_FILENO)
  exit(1)
}
