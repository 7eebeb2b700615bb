#include "Detection/quarantine.h"

#include <sched.h>

#include "Process/options.h"
#include "Process/process.h"
#include "Recording/memory.h"

static uint32_t lock;

static void take_lock(void) { while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) sched_yield(); }
static void drop_lock(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static quarantined *ring;
enum { RING = 1 << 20 };
static uint64_t ring_head, ring_tail, ring_bytes;

bool quarantine_prepare(void) {
  ring = memory_pages(RING * sizeof *ring, false);
  return ring != NULL;
}

/// Moves a thread's batch into the quarantine, oldest out first; returns how many have to leave.
static uint32_t exchange(const quarantined *batch, uint32_t count, quarantined leaving[2 * QUARANTINE_BATCH]) {
  uint32_t left = 0;
  take_lock();
  for (uint32_t i = 0; i < count; i++) {
    ring[ring_head++ % RING] = batch[i];
    ring_bytes += batch[i].size + 16;  // with malloc's own overhead
  }
  // At most two leave for one that comes, so that no single free pays for a big one.
  while (left < 2 * count && (ring_bytes > the_options.quarantine || ring_head - ring_tail >= RING - QUARANTINE_BATCH)) {
    leaving[left] = ring[ring_tail++ % RING];
    ring_bytes -= leaving[left++].size + 16;
  }
  drop_lock();
  return left;
}

// One lock for a batch, since threads that free at once would otherwise only wait for each other.
void quarantine_keep(quarantine_batch *batch, quarantined memory, void (*release_memory)(void *, size_t, size_t)) {
  batch->memory[batch->count++] = memory;
  if (batch->count < QUARANTINE_BATCH) return;
  quarantined leaving[2 * QUARANTINE_BATCH];
  uint32_t left = exchange(batch->memory, batch->count, leaving);
  batch->count = 0;
  if (left && the_process->header)
    __atomic_fetch_add(&the_process->header->counters[LIFELINE_COUNTER_recycledZombies], left, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < left; i++) release_memory(leaving[i].object, leaving[i].size, leaving[i].alignment_mask);
}
