#pragma once
// The way from a program to the recorder in its process: a switch and a table of functions.
#include "lifeline_calls.h"
#include "lifeline_event.h"

typedef struct lifeline_recorder {
#define X(result, name, parameters) result(*name) parameters;
  LIFELINE_CALLS(X)
#undef X
} lifeline_recorder;

/// Whether calls are recorded. Swift reads it as it is: a call, even one that is inlined, would keep its optimizer from
/// leaving out what it leaves out around the language's own references.
extern uint32_t lifeline_the_switch __attribute__((swift_attr("nonisolated(unsafe)")));

/// Functions of the recorder; all NULL while there is none.
const lifeline_recorder *lifeline_harness_recorder(void);

/// Takes the recorder that is in the process already, preloaded or linked; false when there is none.
bool lifeline_harness_attach(void);
/// Loads the probe's library; NULL, or a sentence of the dynamic linker.
const char *lifeline_harness_load(const char *path);
/// Looks whether the recorder records, and sets the switch accordingly.
bool lifeline_harness_update(void);

/// Records what a reference did, as the doing of this function's caller. `what` is as the recorder's `reference` wants
/// it; the name of the property, unless NULL, takes the place of the function in the declaration.
void lifeline_harness_note(const lifeline_declaration *where, uint64_t object, uint32_t what, uint64_t reference,
                           const char *name);

/// Says a sentence on standard error if the process crashes from now on; NULL takes it back. For one thread at a time.
void lifeline_harness_announce(const char *sentence);

/// The name of the property that lies in a class's instances at an offset, as it was remembered; NULL when it was not.
const char *lifeline_harness_name(uint64_t metadata, uint64_t offset);
/// Remembers a name, forever; gives it back. "" says that there is none.
const char *lifeline_harness_remember(uint64_t metadata, uint64_t offset, const char *name);

// The runtime's own (swift/Runtime/HeapObject.h), for the functions in RuntimeCalls.swift.
void *swift_weakAssign(void *reference, void *object);
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);
