#include "Detection/quarantine.h"

#include "Process/lock.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Process/process.h"
#include "Recording/memory_returns.h"

static quarantined *ring;
enum { RING = 1 << 20 };

/// What of the ring is in use. A forked child sees it empty: it keeps its parent's freed objects until it ends.
static struct queue {
  uint64_t head, tail, bytes;
} *queue;

bool quarantine_prepare(void) {
  ring = memory_pages(RING * sizeof *ring, false);
  queue = memory_pages(sizeof *queue, true);
  return ring && queue;
}

/// Moves a thread's batch into the quarantine, oldest out first; returns how many have to leave.
static uint32_t exchange(const quarantined *batch, uint32_t count, quarantined *leaving) {
  uint32_t left = 0;
  lock_take(LOCK_QUARANTINE);
  for (uint32_t i = 0; i < count; i++) {
    ring[queue->head++ % RING] = batch[i];
    queue->bytes += batch[i].size + 16;  // with malloc's own overhead
  }
  // At most two leave for each one that is added, so that no single free pays for a big one.
  while (left < 2 * count &&
         (queue->bytes > the_options.quarantine || queue->head - queue->tail >= RING - QUARANTINE_BATCH)) {
    leaving[left] = ring[queue->tail++ % RING];
    queue->bytes -= leaving[left++].size + 16;
  }
  if (left) memory_is_returning();
  lock_drop(LOCK_QUARANTINE);
  return left;
}

__attribute__((noinline)) static void let_out(quarantine_batch *batch, void (*release_memory)(void *, size_t, size_t)) {
  quarantined *leaving = batch->leaving;
  uint32_t left = exchange(batch->memory, batch->count, leaving);
  batch->count = 0;
  if (left && the_process->header)
    __atomic_fetch_add(&the_process->header->counters[LIFELINE_COUNTER_recycledZombies], left, __ATOMIC_RELAXED);
  // They left the caches long ago, and the allocator writes into each.
  for (uint32_t i = 0; i < left; i++) __builtin_prefetch((uint8_t *)leaving[i].object - 8, 1);
  for (uint32_t i = 0; i < left; i++) release_memory(leaving[i].object, leaving[i].size, leaving[i].alignment_mask);
}

// One lock for a batch, since threads that free at once would otherwise only wait for each other.
void quarantine_keep(quarantine_batch *batch, quarantined memory, void (*release_memory)(void *, size_t, size_t)) {
  if (batch->is_changing) {  // this is a signal handler, and the thread was in here
    memory_is_returning();
    release_memory(memory.object, memory.size, memory.alignment_mask);
    return;
  }
  batch->is_changing = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  batch->memory[batch->count++] = memory;
  if (batch->count == QUARANTINE_BATCH) let_out(batch, release_memory);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  batch->is_changing = false;
}

void quarantine_each(bool (*visit)(const quarantined *memory, void *context), void *context) {
  if (!queue) return;
  lock_take(LOCK_QUARANTINE);
  for (uint64_t i = queue->head; i > queue->tail && visit(&ring[(i - 1) % RING], context);) i--;
  lock_drop(LOCK_QUARANTINE);
}

void quarantine_empty(void (*release_memory)(void *, size_t, size_t)) {
  for (bool is_empty = !queue; !is_empty;) {
    quarantined leaving[QUARANTINE_BATCH];
    uint32_t left = 0;
    lock_take(LOCK_QUARANTINE);
    while (left < QUARANTINE_BATCH && queue->tail < queue->head) {
      leaving[left] = ring[queue->tail++ % RING];
      queue->bytes -= leaving[left++].size + 16;
    }
    is_empty = queue->tail == queue->head;
    lock_drop(LOCK_QUARANTINE);
    for (uint32_t i = 0; i < left; i++) release_memory(leaving[i].object, leaving[i].size, leaving[i].alignment_mask);
  }
}
