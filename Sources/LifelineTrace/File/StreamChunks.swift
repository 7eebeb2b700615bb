/// A stream's number in the file, and its chunks in order.
struct StreamChunks {
  let number: UInt32
  let chunks: [Chunk]
}
