// leak: 1 Folder, 3 File
// path: Folder.files, File.folder
// A cycle through the storage of an array.
final class Folder { var files: [File] = [] }
final class File {
  #if CLEAN
  weak var folder: Folder?
  #else
  var folder: Folder?
  #endif
}
@inline(never) func fill() -> Int {
  let folder = Folder() // ALLOC
  for _ in 0..<3 {
    let file = File() // ALLOC
    file.folder = folder // KEPT
    folder.files.append(file)
  }
  return folder.files.count
}
print(fill())
