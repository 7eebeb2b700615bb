#pragma once
// Records: facts about the whole process. They fill information chunks, one after another.
//
//   ┌─────────┬─────────┬──────────────────────────────┐
//   │ kind    │ size    │ contents, padded to 8 bytes  │
//   └─────────┴─────────┴──────────────────────────────┘
//     u32       u32       (size includes these 8 bytes and the padding)
//
// `kind` is written last; kind 0 ends the chunk. A string is a u32 length and that many bytes of
// UTF-8 without terminator, *unpadded*: fields are packed, read them byte-wise. A reader skips kinds
// it does not know.
//
//   program     u32 argument count; string path; that many strings
//   image       u32 id; u32 flags; u64 load bias; u64 first address; u64 end address; u64 clock;
//               u32 build ID length and bytes; string path.
//               The range covers the loaded segments. The load bias is added to the file's virtual
//               addresses.
//   imageGone   u32 id; u32 0; u64 clock
//   class       u32 id; u32 LIFELINE_CLASS_*; u64 metadata; u64 superclass metadata or 0;
//               u32 instance size (0 unknown); u32 image id or 0; string name, as
//               Module.Outer.Inner, generic arguments in <> if readable.
//               Metadata addresses may be reused by a later class record with another id.
//   threadBegin u32 number; u32 kernel thread id; u64 clock; string name or ""
//   threadName  u32 number; u32 0; string name
//   threadEnd   u32 number; u32 0; u64 clock
//   string      u32 id; u32 0; string
//   detour      u32 LIFELINE_DETOUR_*; u32 0; string entry point
//   notice      u32 number of a stop reason or 0; u32 0; string: one sentence for the user
//   runtime     u32 method: LIFELINE_METHOD_*; u32 0; string path of the image that contains the runtime;
//               string toolchain version or ""
//   option      string key; string value
//   heap        u32 number of the part, from 0; u32 number of parts; bytes: a part of the snapshot of the heap at the
//               process's end (HeapSnapshotWriter). Appended by `lifeline` once the process is gone.
//   older       u32 class id; u32 0; u64 address: an object of the class existed before the recording began. The
//               first record for an address is the valid one.
//   sample      u32 N; u32 0; u64 clock: from then on one object in N is recorded, among those recorded before
#include <stdint.h>

#define LIFELINE_RECORD_KINDS(X) \
  X(program, 1)                  \
  X(image, 2)                    \
  X(imageGone, 3)                \
  X(class, 4)                    \
  X(threadBegin, 5)              \
  X(threadName, 6)               \
  X(threadEnd, 7)                \
  X(string, 8)                   \
  X(detour, 9)                   \
  X(notice, 10)                  \
  X(runtime, 11)                 \
  X(option, 12)                  \
  X(heap, 13)                    \
  X(older, 14)                   \
  X(sample, 15)

enum lifeline_record_kind {
#define X(name, number) LIFELINE_RECORD_##name = number,
  LIFELINE_RECORD_KINDS(X)
#undef X
};

#define LIFELINE_IMAGE_MAIN 1u    // the program itself
#define LIFELINE_IMAGE_SYSTEM 2u  // belongs to the toolchain or the system, not to the program

#define LIFELINE_CLASS_OBJECT 1u    // an instance of a Swift class
#define LIFELINE_CLASS_BOX 2u       // a box for a captured variable or an existential
#define LIFELINE_CLASS_CLOSURE 4u   // a closure context
#define LIFELINE_CLASS_OTHER 8u     // other heap metadata of the runtime
#define LIFELINE_CLASS_GUARDED 16u  // its objects get guard pages
#define LIFELINE_CLASS_UNCOUNTED 32u  // only allocations and ends of its objects are recorded

#define LIFELINE_DETOUR_ACTIVE 1u   // its calls are recorded
#define LIFELINE_DETOUR_MISSING 2u  // this runtime has no such entry point
#define LIFELINE_DETOUR_REFUSED 3u  // the probe does not know the shape of its code
#define LIFELINE_DETOUR_FAILED 4u   // the self-test did not see it

#define LIFELINE_METHOD_SHARED_RUNTIME 1u  // detours in libswiftCore.so
#define LIFELINE_METHOD_STATIC_RUNTIME 2u  // detours in the program itself, through its symbol table
