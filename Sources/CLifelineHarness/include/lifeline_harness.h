#pragma once
// The interface from a program to the recorder in its process: a switch and a table of functions.
#include "lifeline_calls.h"
#include "lifeline_event.h"

typedef struct lifeline_recorder {
#define X(result, name, parameters) result(*name) parameters;
  LIFELINE_CALLS(X)
#undef X
} lifeline_recorder;

/// Whether calls are recorded. Swift reads it directly, because even an inlined call would keep the optimizer from
/// removing what it removes around native references.
extern uint32_t lifeline_the_switch __attribute__((swift_attr("nonisolated(unsafe)")));

/// Functions of the recorder; all NULL if there is none.
const lifeline_recorder *lifeline_harness_recorder(void);

/// Attaches to the recorder already in the process, preloaded or linked; false if there is none.
bool lifeline_harness_attach(void);
/// Loads the probe's library; returns NULL, or an error from the dynamic linker.
const char *lifeline_harness_load(const char *path);
/// Checks whether the recorder records, and sets the switch accordingly.
bool lifeline_harness_update(void);

/// Records what a reference did, attributed to this function's caller. `what` is in the format of the recorder's
/// `reference`; the name of the property, unless NULL, replaces the function in the declaration.
void lifeline_harness_note(const lifeline_declaration *where, uint64_t object, uint32_t what, uint64_t reference,
                           const char *name);

/// Prints a sentence to standard error if the process crashes from now on; NULL cancels that. For one thread at a time.
void lifeline_harness_announce(const char *sentence);

/// The remembered name of the property at an offset in a class's instances; NULL if there is none.
const char *lifeline_harness_name(uint64_t metadata, uint64_t offset);
/// Remembers a name permanently and returns it. "" means that there is none.
const char *lifeline_harness_remember(uint64_t metadata, uint64_t offset, const char *name);

// The runtime's own functions (swift/Runtime/HeapObject.h), for RuntimeCalls.swift.
void *swift_weakAssign(void *reference, void *object);
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);
