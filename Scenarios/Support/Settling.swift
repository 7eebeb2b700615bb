import Glibc

/// Lets other threads end what nothing tells the end of: a queue that lets go of the block that it has run.
func settle() { usleep(50_000) }
