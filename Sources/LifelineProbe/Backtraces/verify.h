#pragma once
// The comparison that decides whether a backtrace is unchanged: the most executed loop of the recorder.
#include <stdbool.h>
#include <stdint.h>

/// What must be in memory: a saved rbp and the return address above it, as `push %rbp` leaves them.
///
///    0                8        16                32
///   ┌────────────────┬────────┬─────────────────┐
///   │ address        │ unused │ rbp │ pc        │
///   └────────────────┴────────┴─────────────────┘
typedef struct verify_pair {
  const void *address;
  uint64_t unused;
  uint64_t rbp, pc;
} __attribute__((aligned(32))) verify_pair;

/// The same for one word.
typedef struct verify_word {
  const uint64_t *address;
  uint64_t value;
} verify_word;

// In assembler, since the probe is compiled for general registers only. Four instructions a pair. The runtime's entry
// points are called with the C convention, so xmm0 and xmm1 are free. Tried and slower here (Zen 5): gathering eight
// words at a time with AVX-512.
#define VERIFY_PAIR(pairs, index) \
  "mov " #index "*32(%[" pairs "]), %[at]\n movdqu (%[at]), %%xmm1\n" \
  " pxor " #index "*32+16(%[" pairs "]), %%xmm1\n por %%xmm1, %%xmm0\n"
#define VERIFY_FOUR VERIFY_PAIR("pairs", 0) VERIFY_PAIR("pairs", 1) VERIFY_PAIR("pairs", 2) VERIFY_PAIR("pairs", 3)

// Four pairs at a time, the last four again if need be: a loop over the rest would end elsewhere at every depth of a
// recursion, and be mispredicted.
#define VERIFY_RANGE        \
  "cmp %[last], %[pairs]\n" \
  "ja 3f\n"                 \
  "je 2f\n"                 \
  ".p2align 4\n"            \
  "1:\n" VERIFY_FOUR        \
  "add $128, %[pairs]\n"    \
  "cmp %[last], %[pairs]\n" \
  "jb 1b\n"                 \
  "mov %[last], %[pairs]\n" \
  "2:\n" VERIFY_FOUR        \
  "jmp 5f\n"                \
  "3:\n"                    \
  "sub $-128, %[last]\n"    \
  "cmp %[last], %[pairs]\n" \
  "jae 5f\n"                \
  "4:\n" VERIFY_PAIR("pairs", 0) \
  "add $32, %[pairs]\n"     \
  "cmp %[last], %[pairs]\n" \
  "jb 4b\n"                 \
  "5:\n"                    \
  "pxor %%xmm1, %%xmm1\n"   \
  "pcmpeqb %%xmm0, %%xmm1\n" \
  "pmovmskb %%xmm1, %[equal]\n"

/// Whether memory is as all of pairs[0 ..< count] say; `count` may be 0.
static inline __attribute__((always_inline)) bool verify_pairs(const verify_pair *pairs, uint32_t count) {
  const verify_pair *last = pairs + count - 4;
  uint64_t at;
  uint32_t equal;
  __asm__ volatile("pxor %%xmm0, %%xmm0\n" VERIFY_RANGE
                   : [pairs] "+r"(pairs), [last] "+r"(last), [at] "=&r"(at), [equal] "=r"(equal)
                   :
                   : "memory", "cc");
  return equal == 0xFFFF;
}

/// The same for three more pairs; those that are not needed are VERIFY_NOTHING.
static inline __attribute__((always_inline)) bool verify_three_and_pairs(const verify_pair *three,
                                                                         const verify_pair *pairs, uint32_t count) {
  const verify_pair *last = pairs + count - 4;
  uint64_t at;
  uint32_t equal;
  __asm__ volatile("pxor %%xmm0, %%xmm0\n"
                   VERIFY_PAIR("three", 0) VERIFY_PAIR("three", 1) VERIFY_PAIR("three", 2) VERIFY_RANGE
                   : [pairs] "+r"(pairs), [last] "+r"(last), [at] "=&r"(at), [equal] "=r"(equal)
                   : [three] "r"(three)
                   : "memory", "cc");
  return equal == 0xFFFF;
}

/// A pair that always holds.
static const uint64_t verify_zeros[2] = {0, 0};
#define VERIFY_NOTHING ((verify_pair){.address = verify_zeros})

/// What differs between memory and what words[0 ..< count] say; 0 when nothing does. Most places have one or two.
static inline __attribute__((always_inline)) uint64_t verify_words(const verify_word *words, uint32_t count) {
  uint64_t changed = 0;
#pragma clang loop unroll(disable)
  for (; count >= 4; count -= 4, words += 4)
    changed |= (*words[0].address ^ words[0].value) | (*words[1].address ^ words[1].value) |
               (*words[2].address ^ words[2].value) | (*words[3].address ^ words[3].value);
#pragma clang loop unroll(disable)
  for (; count; count--, words++) changed |= *words->address ^ words->value;
  return changed;
}
