// swift-tools-version: 6.1
import PackageDescription

/// The probe is preloaded into other people's processes, so it may need libc and nothing else.
/// swiftc links every dynamic product against libswiftCore; only its static mode reads what to link
/// from a file, and `-resource-dir` lets that file be ours (it holds one line: `-lc`).
let probeLinkFlags = [
  "-static-stdlib", "-resource-dir", "\(Context.packageDirectory)/Sources/LifelineProbe/link",
  "-nostartfiles", "-Xclang-linker", "-nostdlib", "-Xlinker", "-z", "-Xlinker", "now",
]

/// `Plugins/ProbeBuilder` repeats these flags for packages that depend on this one by version.
/// A hook built at -O0 costs ten times its optimized version, so the probe is optimized in debug builds too.
let probeCompileFlags = [
  // General registers only: a hook may not disturb vector registers, and a vector load of what was just
  // stored word by word stalls longer than the whole hook takes.
  "-O3", "-gdwarf-4", "-mgeneral-regs-only", "-fvisibility=hidden", "-ftls-model=initial-exec",
  "-fno-stack-protector", "-fno-omit-frame-pointer", "-momit-leaf-frame-pointer", "-Wall", "-Wextra",
]

let package = Package(
  name: "Lifeline",
  products: [
    .executable(name: "lifeline", targets: ["lifeline"]),
    .plugin(name: "LifelinePlugin", targets: ["LifelinePlugin"]),
    .library(name: "LifelineProbe", type: .dynamic, targets: ["LifelineProbe"]),
    .library(name: "LifelineScenarios", targets: ["LifelineScenarios"]),
    .executable(name: "lifeline-scenarios", targets: ["Catalogue"]),
    .library(name: "Lifeline", targets: ["Lifeline"]),
    .library(name: "LifelineTesting", targets: ["LifelineTesting"]),
    .executable(name: "lifeline-workloads", targets: ["Workloads"]),
    .library(name: "EmptyDetour", type: .dynamic, targets: ["EmptyDetour"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .target(name: "CLifelineFormat"),
    .systemLibrary(
      name: "CElfutils", pkgConfig: "libdw",
      providers: [.apt(["libdw-dev"]), .yum(["elfutils-devel"])]),

    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .yum(["libzstd-devel"])]),

    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),

    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"]), .yum(["ncurses-devel"])]),

    .target(
      name: "LifelineProbe",
      dependencies: ["CLifelineFormat"],
      exclude: ["link"],
      cSettings: [.headerSearchPath("."), .unsafeFlags(probeCompileFlags)],
      linkerSettings: [.unsafeFlags(probeLinkFlags)]),
    .target(
      name: "LifelineTrace",
      dependencies: ["CLifelineFormat", .product(name: "SystemPackage", package: "swift-system")]),

    .target(
      name: "LifelineCompaction",
      dependencies: [
        "CLifelineFormat", "CZstd", "LifelineTrace", .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .systemLibrary(name: "CPtrace"),
    .target(name: "CInjectedCode"),
    .target(name: "LifelineHeap", dependencies: ["CLifelineFormat", "CPtrace", "LifelineTrace"]),
    .target(name: "LifelineLifetimes", dependencies: ["CLifelineFormat", "LifelineTrace"]),
    .target(
      name: "LifelineSymbolication",
      dependencies: ["CElfutils", .product(name: "SystemPackage", package: "swift-system")]),

    .target(
      name: "LifelineAnalysis",
      dependencies: ["LifelineHeap", "LifelineLifetimes", "LifelineSymbolication", "LifelineTrace"],
      resources: [.embedInCode("Holds/HoldRules.json")]),
    .target(
      name: "LifelineReporting",
      dependencies: [
        "LifelineAnalysis", "LifelineHeap", "LifelineLifetimes", "LifelineSymbolication", "LifelineTrace",
      ]),
    .target(
      name: "LifelineExport",
      dependencies: [
        "CSQLite", "CZstd", "LifelineLifetimes", "LifelineReporting", "LifelineTrace",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["Protobuf/perfetto.proto", "Protobuf/pprof.proto"]),
    .target(name: "LifelineLive", dependencies: ["LifelineReporting", "LifelineTrace"]),
    .target(name: "LifelineGate", dependencies: ["LifelineAnalysis", "LifelineLifetimes", "LifelineTrace"]),
    .target(
      name: "LifelineRecording",
      dependencies: [
        "CElfutils", "CInjectedCode", "CLifelineFormat", "CPtrace", "LifelineHeap", "LifelineSymbolication",
        "LifelineTrace",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(name: "LifelineScenarios"),
    .executableTarget(name: "Catalogue", dependencies: ["LifelineScenarios"], path: "Scenarios"),
    .target(name: "LifelineExpectations", dependencies: ["LifelineReporting", "LifelineScenarios", "LifelineTrace"]),
    .executableTarget(
      name: "lifeline",
      dependencies: [
        "CNcurses",
        "LifelineAnalysis", "LifelineCompaction", "LifelineExpectations", "LifelineExport", "LifelineGate",
        "LifelineHeap", "LifelineLifetimes", "LifelineLive",
        "LifelineRecording",
        "LifelineReporting", "LifelineScenarios", "LifelineSymbolication", "LifelineTrace",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    .plugin(
      name: "LifelinePlugin",
      capability: .command(
        intent: .custom(verb: "lifeline", description: "Records and checks the lives of this package's objects."))),
    .plugin(name: "ProbeBuilder", capability: .buildTool()),
    .target(name: "CLifelineHarness", dependencies: ["CLifelineFormat"]),
    .target(
      name: "Lifeline", dependencies: ["CLifelineHarness", "LifelineLifetimes", "LifelineTrace"],
      plugins: ["ProbeBuilder"]),
    .target(
      name: "LifelineTesting",
      dependencies: [
        "CLifelineHarness", "Lifeline", "LifelineHeap", "LifelineLifetimes", "LifelineSymbolication", "LifelineTrace",
      ]),

    .executableTarget(name: "Workloads", path: "Benchmarks/Workloads"),
    .executableTarget(
      name: "symbolication-benchmark", dependencies: ["LifelineSymbolication"], path: "Benchmarks/Symbolication"),
    .executableTarget(
      name: "harness-benchmark", dependencies: ["Lifeline", "LifelineTrace"], path: "Benchmarks/Harness"),
    .executableTarget(
      name: "diagnosis-benchmark",
      dependencies: ["LifelineAnalysis", "LifelineLifetimes", "LifelineReporting", "LifelineTrace"],
      path: "Benchmarks/Diagnosis"),
    .target(
      name: "EmptyDetour", path: "Benchmarks/EmptyDetour",
      cSettings: [.unsafeFlags(["-O2", "-fomit-frame-pointer"])]),

    .target(name: "LifelineTraceBuilder", dependencies: ["CLifelineFormat"], path: "Tests/LifelineTraceBuilder"),
    .testTarget(
      name: "LifelineTraceTests", dependencies: ["CLifelineFormat", "LifelineTrace", "LifelineTraceBuilder"]),
    .testTarget(
      name: "LifelineCompactionTests",
      dependencies: [
        "CLifelineFormat", "LifelineCompaction", "LifelineTrace", "LifelineTraceBuilder",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(
      name: "LifelineLiveTests",
      dependencies: ["CLifelineFormat", "LifelineLifetimes", "LifelineLive", "LifelineTrace", "LifelineTraceBuilder"]),
    .testTarget(name: "LifelineHeapTests", dependencies: ["LifelineHeap", "LifelineTestSupport"]),
    .testTarget(
      name: "LifelineLifetimesTests", dependencies: ["LifelineLifetimes", "LifelineTrace", "LifelineTraceBuilder"]),
    .testTarget(
      name: "LifelineSymbolicationTests", dependencies: ["LifelineSymbolication", "LifelineTestSupport"]),
    .testTarget(
      name: "LifelineReportingTests",
      dependencies: [
        "LifelineAnalysis", "LifelineLifetimes", "LifelineReporting", "LifelineTestSupport", "LifelineTrace",
      ],
      resources: [.copy("Schemas")]),
    .testTarget(
      name: "LifelineGateTests",
      dependencies: [
        "LifelineAnalysis", "LifelineGate", "LifelineLifetimes", "LifelineSymbolication", "LifelineTestSupport",
        "LifelineTrace",
        "LifelineTraceBuilder",
      ]),
    .executableTarget(name: "ScenarioFixture", dependencies: ["LifelineScenarios"], path: "Tests/ScenarioFixture"),
    .testTarget(
      name: "LifelineExpectationsTests",
      dependencies: ["LifelineExpectations", "LifelineReporting", "LifelineScenarios"]),
    .testTarget(
      name: "LifelineTestingTests",
      dependencies: ["LifelineHeap", "LifelineTestSupport", "LifelineTesting", "LifelineTrace"]),
    .executableTarget(name: "HarnessProgram", dependencies: ["Lifeline"], path: "Tests/HarnessProgram"),
    .testTarget(
      name: "LifelineTests", dependencies: ["Lifeline", "LifelineLifetimes", "LifelineTestSupport", "LifelineTrace"]),
    .target(name: "CTestProcess", path: "Tests/CTestProcess"),
    .target(name: "LifelineTestSupport", dependencies: ["CTestProcess"], path: "Tests/LifelineTestSupport"),
    .testTarget(name: "LifelineRecordingTests", dependencies: ["LifelineRecording", "LifelineTestSupport"]),
    .testTarget(
      name: "LifelineCommandTests",
      dependencies: [
        "CPtrace", "LifelineLive", "LifelineReporting", "LifelineTestSupport", "LifelineTrace", "LifelineTraceBuilder",
      ],
      resources: [.copy("Schemas")]),
    .testTarget(
      name: "LifelineAnalysisTests",
      dependencies: [
        "LifelineAnalysis", "LifelineHeap", "LifelineLifetimes", "LifelineSymbolication", "LifelineTrace",
        "LifelineTraceBuilder",
      ]),
    .testTarget(name: "LifelineCorpusTests", dependencies: ["LifelineReporting", "LifelineTestSupport"]),
    .target(
      name: "CProbeOptions", path: "Tests/CProbeOptions",
      cSettings: [.headerSearchPath("../../Sources/LifelineProbe")]),
    .target(
      name: "LifelineFuzzTargets",
      dependencies: [
        "CLifelineFormat", "CProbeOptions", "LifelineAnalysis", "LifelineCompaction", "LifelineExport", "LifelineGate",
        "LifelineHeap", "LifelineLifetimes", "LifelineReporting", "LifelineSymbolication", "LifelineTrace",
        "LifelineTraceBuilder",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/LifelineFuzzTargets"),
    .testTarget(
      name: "LifelineFuzzTests", dependencies: ["LifelineFuzzTargets", "LifelineTestSupport"],
      resources: [.copy("Base"), .copy("Inputs")]),
    .target(name: "CInstructionCounter", path: "Tests/CInstructionCounter"),
    .testTarget(
      name: "LifelineProbeTests",
      dependencies: ["CInstructionCounter", "LifelineLifetimes", "LifelineTestSupport", "LifelineTrace"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

// The tests mostly read traces, symbols and heaps; `Scripts/test` optimizes the code that does, which halves its time.
// A package that others depend on by version may not ask for it by itself.
if Context.environment["LIFELINE_OPTIMIZE"] != nil {
  let readers: Set = ["LifelineTrace", "LifelineHeap", "LifelineLifetimes", "LifelineSymbolication"]
  for target in package.targets where readers.contains(target.name) {
    target.swiftSettings = [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"])]
  }
  // The tests of the package outside, most of which fail on purpose, are built with the others, which spares a second
  // build of Lifeline; `Scripts/prove-packages` runs them in their own package.
  package.targets.append(
    .testTarget(
      name: "OutsideTests", dependencies: ["Lifeline", "LifelineTesting"],
      path: "Tests/OutsidePackage/Tests/OutsideTests"))
  package.targets.first { $0.name == "LifelineTestingTests" }?.swiftSettings = [.define("WITH_OUTSIDE_TESTS")]
}

// `Scripts/fuzz` links libFuzzer, whose main function and whose flags no other product can have. After each input it
// looks at the counters of all modules that have some, so only those have them whose edges it is to see.
if let observed = Context.environment["LIFELINE_FUZZ"] {
  let names = observed.split(separator: " ").map(String.init), coverage = "edge,inline-8bit-counters,pc-table"
  for target in package.targets where names.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize-coverage=\(coverage)"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize-coverage=\(coverage)"])]
  }
  package.targets.append(
    .executableTarget(
      name: "lifeline-fuzz", dependencies: ["LifelineFuzzTargets"], path: "Tests/Fuzzer",
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}
