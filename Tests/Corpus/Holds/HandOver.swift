// object: Parcel#1
// verdict: on time
// rule: 
// finding: none
// The first owner passes the object to a second one, which outlives it.
final class Parcel { var weight = 1 }
final class Depot { var parcel: Parcel? }
final class Van { var parcel: Parcel? }
@inline(never) func receive(_ depot: Depot) { depot.parcel = Parcel() }
@inline(never) func load(_ depot: Depot, _ van: Van) {
  van.parcel = depot.parcel
  depot.parcel = nil
}
@inline(never) func deliver(_ van: Van) {
  van.parcel = nil // OWNER
}
let depot = Depot(), van = Van()
receive(depot)
load(depot, van)
deliver(van)
print("end")
