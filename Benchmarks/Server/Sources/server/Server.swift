import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A session per connection and a small object graph per request: what servers allocate.
final class Session {
  var requests = 0
}

final class Greeting {
  let text: String
  init(_ text: String) { self.text = text }
}

/// One object for the whole server: what `--only` names when one class is suspected.
final class RareObject {
  var served = 0
}

/// Two of these that refer to each other are lost.
final class Conversation {
  var peer: Conversation?
}

/// What is used after it is gone.
final class Job {
  var runs = 0
}

/// The faults that `Scripts/soak` asks for.
enum Fault {
  static let objects = 1000

  @inline(never) static func leak() {
    for _ in 0..<objects {
      let one = Conversation(), two = Conversation()
      one.peer = two
      two.peer = one
    }
  }

  /// An unowned reference keeps the memory, so that a retain of an object that is not watched does no harm.
  private struct Reference {
    unowned let job: Job
    let unmanaged: Unmanaged<Job>
  }

  @inline(never) private static func drop() -> [Reference] {
    let jobs = (0..<objects).map { _ in Job() }
    return jobs.map { Reference(job: $0, unmanaged: Unmanaged.passUnretained($0)) }
  }

  @inline(never) static func useAfterFree() {
    for reference in drop() { _ = reference.unmanaged.retain() }
  }
}

final class Handler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart
  private let session = Session()
  private let listener: any Channel
  private var path = "/"

  init(_ listener: any Channel) { self.listener = listener }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      path = head.uri
      return
    case .body: return
    case .end: break
    }
    switch path {
    case "/leak": Fault.leak()
    case "/use-after-free": Fault.useAfterFree()
    case "/stop": listener.close(promise: nil)
    default: break
    }
    session.requests += 1
    let greetings = (0..<8).map { Greeting("hello \($0) of request \(session.requests)\n") }
    var buffer = context.channel.allocator.buffer(capacity: 256)
    for greeting in greetings { buffer.writeString(greeting.text) }
    let headers: HTTPHeaders = ["content-length": String(buffer.readableBytes)]
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}

@main
struct Server {
  static func main() throws {
    let rare = RareObject()
    rare.served += 1
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let channel = try ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(Handler(channel.parent!))
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    print(channel.localAddress!.port!)
    fflush(nil)
    try channel.closeFuture.wait()
  }
}
