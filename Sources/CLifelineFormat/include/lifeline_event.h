#pragma once
// Events: what happened to an object, on which thread, when, and where in the code.
//
// One event:
//
//   ┌─────┬──────┬──────┬────────┬───────┬───────────┬───────────┐
//   │ tag │ kind │ time │ object │ count │ arguments │ backtrace │
//   └─────┴──────┴──────┴────────┴───────┴───────────┴───────────┘
//      1    0…1    0…10   0…11     0…5      by kind       0…n       bytes
//
//   tag, one byte, written last (a zero tag ends the chunk):
//
//     7   6   5   4   3   2   1   0
//   ┌───┬───┬───┬───┬───────────────┐
//   │ B │ C │ S │ T │ kind          │
//   └───┴───┴───┴───┴───────────────┘
//     T  time is present
//     S  same object as the event before; object is absent
//     C  count is present; otherwise it is the one predicted
//     B  the change of the backtrace is present; otherwise it is the one predicted
//   kind 1…14 is the event kind itself; kind 15 means that the next byte is the kind.
//
//   time       varint: ticks of the event clock since the last time in this chunk (first: since the
//              chunk's first_clock). It is read after the count was changed. So an event happened between the
//              last time before it and the first one from it on. An event whose count was not predicted (another
//              thread touched the object) has a time, and so does the final release.
//              Times do not order the events of several threads for one object; their counts do: each event
//              finds the count that the one before it left.
//   object     one byte 0…127: that slot of the object cache; or a byte ≥ 128, see below
//   count      varint: strong count after the event plus 1; 0 = the count was not readable
//   arguments  varints, as many as the kind has (table below)
//   backtrace  pops and pushes on the backtrace of the event before, see below
//
// A varint is LEB128, unsigned, at most 10 bytes. zigzag(x) = (x << 1) ^ (x >> 63).
//
// Object not in the cache: v = zigzag((address − address of the event before) / 8)
//
//     7   6   5 … 0         then, if M is set, varint(v >> 6)
//   ┌───┬───┬────────┐
//   │ 1 │ M │ v & 63 │
//   └───┴───┴────────┘
//
// Object cache: 128 slots, direct mapped by lifeline_object_slot(address), each {address, count}.
// After every event with an object, the slot of that object holds it and the count after the event
// (kinds without a count keep the slot's count if it was the same object, else 0).
// Predicted count: the slot's count if it holds this object, else 0; plus the kind's change
// (retain +1, release −1, retainN/releaseN ± their argument, others 0).
// Times, cache, backtrace, sites and predictions start empty in every event chunk, so each can be read by itself.
//
// Backtrace: the thread's stack of call sites, outermost at the bottom.
//
//   ┌──────┬────────┬─────────────────┬─────────────────────────────┐
//   │ pops │ pushes │ varints if 15   │ pushed sites, outermost     │
//   │ 4 bit│ 4 bit  │ (pops, pushes)  │ first                       │
//   └──────┴────────┴─────────────────┴─────────────────────────────┘
//   A nibble below 15 is the number itself; 15 means that a varint with the whole number follows
//   (pops first). A site is varint n: n ≥ 1 is the n-th site defined in this chunk; 0 defines the next
//   one: varint zigzag(word − previously defined word, first: 0), where
//   word = address << 2 | LIFELINE_SITE_*. Addresses are return addresses unless marked exact:
//   look up address − 1.
//
// Predicted change: what followed last time. The prediction table has 1024 entries; an event's is that of
// lifeline_prediction_slot(lifeline_prediction_context(w1, w2), kind), w1 being the innermost and w2 the next site word
// (0: none) of the event before, and `kind` that event's. An entry holds the pops and the pushed words of the last
// change that was written for it and pushed at most 6 sites, at first "no change". After an event whose backtrace is
// empty (the first of a chunk or of a thread) nothing is predicted or learned: absent, the backtrace stays empty.
//   Only the innermost `frames` sites of the stack (file header) belong to the backtrace: sites
//   further out were correct when they were pushed and are kept to be popped later.
#include <stdint.h>

#define LIFELINE_OBJECT_CACHE_SIZE 128u
#define LIFELINE_EVENT_TIME 0x10u
#define LIFELINE_EVENT_SAME_OBJECT 0x20u
#define LIFELINE_EVENT_COUNT 0x40u
#define LIFELINE_EVENT_BACKTRACE 0x80u
#define LIFELINE_EVENT_KIND_MASK 0x0Fu
#define LIFELINE_EVENT_EXTENDED 15u

#define LIFELINE_SITE_RETURN 0u      // a return address
#define LIFELINE_SITE_EXACT 1u       // the address of an instruction that a signal interrupted
#define LIFELINE_SITE_ASYNC 2u       // the resume address of an asynchronous caller
#define LIFELINE_SITE_TRUNCATED 4u   // whole word: the backtrace continues beyond the limit
#define LIFELINE_SITE_INCOMPLETE 8u  // whole word: the next frame could not be found
#define LIFELINE_SITE_ASYNC_UNKNOWN 12u  // whole word: asynchronous callers follow that could not be found

// Event kinds: identifier, number, arguments, whether it has an object, whether it has a count.
//
//   allocate          class (record id), size in bytes, or 0 when it is the class's instance size
//   retain, release   the count is the strong count after it (a new object has 1); a release with
//                     count 0 is the final release: the deinit starts there
//   deallocate        the deinit is over: swift_deallocObject was entered. Unowned references may keep
//                     the memory.
//   free              the memory goes back to malloc, or into quarantine
//   tryRetain         1 if it returned a strong reference, otherwise 0
//   retainN …         the number n of references
//   unownedRetainStrong(AndRelease)   the count is the strong count after it
//   weakInit, weakAssign, weakDestroy the address of the weak reference
//   weakLoad          address of the weak reference, 1 if it returned the object, 0 if nil; also for
//                     weakTake
//   weakCopy          address of the copy, address of the original
//   thread            thread (record number): from here on the stream belongs to that thread;
//                     the backtrace is empty again
//   mark              string (record id)
//   useAfterFree      LIFELINE_ACCESS_* | bytes from an object near the code that used this one to the word where
//                     it has this one's address << 16, 0 when there is none, or
//                     LIFELINE_SENDER_IS_ONE_OF_SEVERAL; for a message the address of the
//                     intended method, for a read or write the address accessed, otherwise 0; the address of that
//                     word, or for a read the reference that was read, if the read is known by what was done with that
//   overRelease       the strong count was already 0; the argument is 1 inside its deinit, 2 after it
//   resurrection      the object left its deinit with this many strong references too many
//   unownedAfterDeinit   the runtime is about to trap: an unowned reference to a dead object was read
//   stray             the address is not an object the runtime made: LIFELINE_ACCESS_* | LIFELINE_STRAY_*
//   reference         what source code did with a tracked reference to the object: LIFELINE_REFERENCE_* |
//                     LIFELINE_STRENGTH_* << 8 | bytes from its owner to the reference << 16, 0 when it is no
//                     property of an object; string (record id) of its declaration; address of the reference, or 0
//   span              begin (1) or end (2) of a span that source code named | LIFELINE_SPAN_* << 8; its number,
//                     unique in the process; string (record id)
//   hold              a span begins (1) or ends (2) to keep the object alive | LIFELINE_ROLE_* << 8; the span's number
//   cause             the event before it on this thread, on the same object, was caused by code with this number (a
//                     test, including the tasks that it starts)
//   task              number of the asynchronous task that the thread runs from here on, in the runtime's numbering; 0
//                     if it runs none. A chunk begins with none.
//   queue             string (record id) that is the label of the serial dispatch queue that the thread runs code of
//                     from here on; the main queue's is LIFELINE_MAIN_QUEUE; 0 if of none, or if it has no label. A
//                     chunk begins with none.
//   point             the thread is about to do something to the object, in an exploration
//                     (Exploration/explore.h): key of the site, the number of the visit by any thread, LIFELINE_POINT_*
//                     | what it is about to do << 2 (0 use, 1 release, 2 deinit, 3 allocation, where the object is its
//                     class; where threads meet: 4 lock, 5 unlock, 6 wait and 7 signal, where the object is the lock or
//                     the like, 8 enqueue with the queue or 1, 9 run and 10 switch with the address of the code that
//                     runs next) | microseconds that it was held << 8
//   base              the object is older than the kept events; the count is the one at their beginning. Not in any
//                     file: readers create it from the base line (lifeline_ring.h)
#define LIFELINE_EVENT_KINDS(X)              \
  X(retain, 1, 0, 1, 1)                      \
  X(release, 2, 0, 1, 1)                     \
  X(allocate, 3, 2, 1, 0)                    \
  X(free, 4, 0, 1, 0)                        \
  X(deallocate, 5, 0, 1, 0)                  \
  X(retainN, 6, 1, 1, 1)                     \
  X(releaseN, 7, 1, 1, 1)                    \
  X(tryRetain, 8, 1, 1, 1)                   \
  X(unownedRetain, 9, 1, 1, 0)               \
  X(unownedRelease, 10, 1, 1, 0)             \
  X(weakLoad, 11, 2, 1, 1)                   \
  X(weakInit, 12, 1, 1, 0)                   \
  X(weakDestroy, 13, 1, 1, 0)                \
  X(unownedRetainStrong, 14, 0, 1, 1)        \
  X(unownedRetainStrongAndRelease, 16, 0, 1, 1) \
  X(weakAssign, 17, 1, 1, 0)                 \
  X(weakCopy, 18, 2, 1, 0)                   \
  X(thread, 19, 1, 0, 0)                     \
  X(mark, 20, 1, 0, 0)                       \
  X(useAfterFree, 21, 3, 1, 0)               \
  X(overRelease, 22, 1, 1, 0)                \
  X(resurrection, 23, 1, 1, 0)               \
  X(unownedAfterDeinit, 24, 0, 1, 0)         \
  X(stray, 25, 1, 1, 0)                      \
  X(reference, 26, 3, 1, 0)                  \
  X(span, 27, 3, 0, 0)                       \
  X(hold, 28, 2, 1, 0)                       \
  X(cause, 29, 1, 1, 0)                      \
  X(task, 30, 1, 0, 0)                       \
  X(point, 31, 3, 1, 0)                      \
  X(base, 32, 0, 1, 1)                       \
  X(queue, 33, 1, 0, 0)

// The label that libdispatch gives the main queue, which is the main actor's too.
#define LIFELINE_MAIN_QUEUE "com.apple.main-thread"

enum lifeline_event_kind {
#define X(name, number, arguments, object, count) LIFELINE_EVENT_##name = number,
  LIFELINE_EVENT_KINDS(X)
#undef X
  LIFELINE_EVENT_KIND_LIMIT = 34,
};

// Kinds of access: identifier, number.
#define LIFELINE_ACCESSES(X) X(message, 1) X(retain, 2) X(release, 3) X(read, 4) X(write, 5)

enum lifeline_access {
#define X(name, number) LIFELINE_ACCESS_##name = number,
  LIFELINE_ACCESSES(X)
#undef X
};

// Several objects have a freed one's address at the same place, of which one is given.
enum { LIFELINE_SENDER_IS_ONE_OF_SEVERAL = 1 << 8 };

// Where a stray address is: on the stack of the thread that used it, or on the main thread's.
enum { LIFELINE_STRAY_OWN_STACK = 1 << 8, LIFELINE_STRAY_MAIN_STACK = 1 << 9 };

// What a tracked reference did, and its strength: identifier, number.
//
//   lost              an unowned(unsafe) reference was used after its object had ended
#define LIFELINE_REFERENCES(X) X(set, 1) X(clear, 2) X(load, 3) X(message, 4) X(lost, 5)
#define LIFELINE_STRENGTHS(X) X(strong, 1) X(weak, 2) X(unowned, 3) X(unownedUnsafe, 4) X(unmanaged, 5)

enum lifeline_reference_operation {
#define X(name, number) LIFELINE_REFERENCE_##name = number,
  LIFELINE_REFERENCES(X)
#undef X
};

enum lifeline_strength {
#define X(name, number) LIFELINE_STRENGTH_##name = number,
  LIFELINE_STRENGTHS(X)
#undef X
};

// Named spans of source code, and the roles of objects that a span keeps alive: identifier, number.
#define LIFELINE_SPANS(X) X(phase, 1) X(scope, 2) X(post, 3) X(delivery, 4) X(test, 5)
#define LIFELINE_ROLES(X) X(observer, 1) X(payload, 2) X(sender, 3)

enum lifeline_span_sort {
#define X(name, number) LIFELINE_SPAN_##name = number,
  LIFELINE_SPANS(X)
#undef X
};

enum lifeline_role {
#define X(name, number) LIFELINE_ROLE_##name = number,
  LIFELINE_ROLES(X)
#undef X
};

// What happens to a thread at a point of an exploration: it passes; it is held; it was released because the object had
// ended, or because its time was up.
#define LIFELINE_POINTS(X) X(passed, 0) X(held, 1) X(ended, 2) X(wentOn, 3)

enum lifeline_point {
#define X(name, number) LIFELINE_POINT_##name = number,
  LIFELINE_POINTS(X)
#undef X
};

#define LIFELINE_PREDICTION_SLOTS 1024u
#define LIFELINE_PREDICTED_SITES 6u  // maximum number of sites that a predicted change pushes

/// Hash of the two innermost site words of a backtrace.
static inline uint32_t lifeline_prediction_context(uint64_t innermost, uint64_t next) {
  return (uint32_t)((innermost + next * 3) * 0x9E3779B97F4A7C15ull >> 32);
}

/// The prediction table entry for the event after one of this kind.
static inline uint32_t lifeline_prediction_slot(uint32_t context, uint32_t kind) {
  return (context + kind * 0x9E3779B1u) >> 22;
}

/// Slot of the object cache for an address: low bits above the 16-byte alignment, mixed with the page.
static inline uint32_t lifeline_object_slot(uint64_t address) {
  return (uint32_t)((address >> 4) ^ (address >> 11)) & (LIFELINE_OBJECT_CACHE_SIZE - 1);
}
