import Foundation
import PackagePlugin

/// Builds the probe for packages that depend on Lifeline by version.
///
/// SwiftPM refuses products whose targets have unsafe flags in such a dependency, and the probe needs some: it must not
/// touch vector registers and must not load the Swift runtime. So it is compiled here, with the flags of the target
/// `LifelineProbe`, and becomes a resource of the library, which `ProbeLibrary` loads.
@main
struct ProbeBuilder: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let sources = context.package.directoryURL.appending(path: "Sources")
    let folders = ["LifelineProbe", "CLifelineFormat"].map { sources.appending(path: $0) }
    let files = folders.flatMap(files).sorted { $0.path < $1.path }
    let library = context.pluginWorkDirectoryURL.appending(path: "libLifelineProbe.so")
    let includes = [folders[0], folders[0].appending(path: "include"), folders[1].appending(path: "include")]
    var arguments = [
      "-shared", "-fPIC", "-O3", "-gdwarf-4", "-std=gnu11", "-mgeneral-regs-only", "-fvisibility=hidden",
      "-ftls-model=initial-exec", "-fno-stack-protector", "-fno-omit-frame-pointer", "-momit-leaf-frame-pointer",
      "-nostartfiles", "-nostdlib", "-Wl,-z,now",
    ]
    arguments += includes.map { "-I\($0.path)" } + files.filter { $0.pathExtension == "c" }.map(\.path)
    arguments += ["-lc", "-o", library.path]
    return [
      .buildCommand(
        displayName: "Building the probe", executable: try context.tool(named: "clang").url, arguments: arguments,
        inputFiles: files, outputFiles: [library])
    ]
  }

  private func files(in folder: URL) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { ["c", "h"].contains($0.pathExtension) }
  }
}
