#define _GNU_SOURCE
#include "Recording/interruption.h"

#include <dlfcn.h>
#include <stddef.h>

// Of struct rseq (linux/rseq.h). glibc registers one for each thread since 2.35.
enum { WORD_OFFSET = 8, LEAST_SIZE = 20, SIGNATURE = 0x53053053 };

// A thread's rseq may refer to it. Since it has no instructions no thread is ever within it, and the kernel then sets
// the reference to 0 instead of moving the thread.
struct interruption_sequence __attribute__((aligned(32))) interruption_nothing;

/// The kernel demands this signature before the place at which an interrupted sequence would go on.
static const uint32_t place[2] = {SIGNATURE, 0};

/// From the thread's control block to the reference; 0 if there is none.
static ptrdiff_t offset;

void interruption_prepare(void) {
  const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");
  const ptrdiff_t *from_thread = dlsym(RTLD_DEFAULT, "__rseq_offset");
  if (!size || !from_thread || *size < LEAST_SIZE) return;
  interruption_nothing.start = interruption_nothing.abort = (uint64_t)&place[1];
  offset = *from_thread + WORD_OFFSET;
}

volatile uint64_t *interruption_word(uint64_t *otherwise) {
  if (!offset) return otherwise;
  char *thread;
  __asm__("mov %%fs:0, %0" : "=r"(thread));
  return (volatile uint64_t *)(thread + offset);
}
