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

final class Handler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart
  private let session = Session()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .end = unwrapInboundIn(data) else { return }
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
          try channel.pipeline.syncOperations.addHandler(Handler())
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    print(channel.localAddress!.port!)
    fflush(nil)
    try channel.closeFuture.wait()
  }
}
