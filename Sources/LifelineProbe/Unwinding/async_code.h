#pragma once
// Where an asynchronous function keeps its context during a call, derived from its instructions.
//
// Such a function is entered with its context in r14, which no callee-saved rule protects: it may move it to another
// register or to its frame. A result is valid on every path that leads to the call; an instruction, a jump or a frame
// whose effect is not certain means that there is no result.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct async_place {
  enum { ASYNC_NOWHERE, ASYNC_IN_SLOT, ASYNC_IN_REGISTER } kind;
  int32_t where;  // of a slot: bytes from the address of the return address; of a register: its number
} async_place;

/// push %rbp; push %r14; lea 8(%rsp), %rbp: at every call the context is at rbp − 8 (async_context.h). No other
/// function begins so.
bool async_code_has_frame(const uint8_t *begin, const uint8_t *end);
/// Where the function [begin, end) has, at the instruction `pc` or at the call that returns there, what r14 held when
/// it was entered. Nowhere also when the function treats it as its callee's context: a function that an await comes
/// back to.
async_place async_code_find(const uint8_t *begin, const uint8_t *end, const uint8_t *pc, bool is_return_address);
