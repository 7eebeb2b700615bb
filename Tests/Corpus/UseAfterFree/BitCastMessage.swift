// class: Plugin
// kind: use-after-free
// An object reference kept as an integer, as in tables of handles.
class Plugin { var version = 2; func activate() -> Int { version } }
final class Host { var plugins: [Plugin] = [] }
@inline(never) func load(_ host: Host) -> Int {
  let plugin = Plugin() // ALLOC
  host.plugins.append(plugin)
  return unsafeBitCast(plugin, to: Int.self)
}
@inline(never) func unload(_ host: Host) {
  host.plugins = [] // FREE
}
@inline(never) func activate(_ handle: Int) -> Int {
  let plugin = unsafeBitCast(handle, to: Plugin.self) // ACCESS
  return plugin.activate() // ACCESS
}
let host = Host()
let handle = load(host)
#if !CLEAN
unload(host)
#endif
print(activate(handle) >= 0)
unload(host)
