// leak: 1 World, 20000 Particle
// path: World.particles, Particle.world
// The array has a mapping of its own, which ends where another one begins.
final class World { var particles: [Particle] = [] }
final class Particle {
  #if CLEAN
  unowned let world: World
  #else
  let world: World
  #endif
  init(_ world: World) { self.world = world } // KEPT
}
@inline(never) func run(_ count: Int) -> Int {
  let world = World() // ALLOC
  world.particles.reserveCapacity(count)
  for _ in 0..<count { world.particles.append(Particle(world)) } // ALLOC KEPT
  return world.particles.count
}
print(run(20_000))
