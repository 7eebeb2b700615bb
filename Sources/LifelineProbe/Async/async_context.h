#pragma once
// The callers of an asynchronous function: they are not on the stack but in its context, which begins with its caller's
// (swift/ABI/Task.h, AsyncContext). A function with a frame of the following shape keeps its context there; any other
// keeps it where its instructions say (async_code.h). Where the compiler was asked for it (-swift-async-frame-pointer),
// the rbp that such a function saves is marked with a bit.
//
//     rbp − 8     rbp                rbp + 8            context      context + 8
//   ┌───────────┬──────────────────┬────────────────┐ ┌──────────┬───────────────┐
//   │ context   │ caller's rbp (B) │ return address │ │ parent   │ resume parent │
//   └───────────┴──────────────────┴────────────────┘ └──────────┴───────────────┘
#include <stdbool.h>
#include <stdint.h>

#define ASYNC_FRAME_BIT (1ull << 60)

/// A frame on the stack: a call in it returns to `pc`, which the callee has at `slot`, or `pc` was interrupted there.
typedef struct async_frame {
  uint64_t pc, slot, cfa, rbp;
  bool is_return_address;
  uint64_t low, high;  // of the stack
} async_frame;

/// Finds the runtime for asynchronous functions, if there is one. Called once by the constructor.
void async_prepare(void);
/// The context of the asynchronous function that has this frame; 0 when it is not known for certain. `interrupted` is
/// the ucontext_t of the signal that the frames are seen from, or NULL when they are seen from the caller.
uint64_t async_context_of(const async_frame *frame, const void *interrupted);
/// What a register that functions save for their callers (rbx, r12 to r15, by its DWARF number) held in a frame; false
/// if it is not known. Its value here, or where a frame between here and there saved it; `interrupted` as above.
bool async_register(const async_frame *frame, const void *interrupted, int reg, uint64_t *value);
/// Site words of the functions that await the one with this context, the innermost first. They are suspended, so their
/// contexts are alive. Fewer than `limit`, and then a mark, when there are more.
uint32_t async_callers(uint64_t context, uint64_t *words, uint32_t limit);
