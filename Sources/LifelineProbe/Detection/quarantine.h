#pragma once
// The quarantine: memory of freed objects, kept for a while so that an access is recognized.
#include <stdbool.h>
#include <stddef.h>

#include "Recording/quarantine_batch.h"

/// Makes room; false when there is no memory for it.
bool quarantine_prepare(void);
/// Keeps a zombie's memory; what has to leave the quarantine for it goes back through `release_memory`.
void quarantine_keep(quarantine_batch *batch, quarantined memory, void (*release_memory)(void *, size_t, size_t));
/// Visits what threads have handed in, what was freed last first, until `visit` returns false. It stays meanwhile.
void quarantine_each(bool (*visit)(const quarantined *memory, void *context), void *context);
/// Returns the memory of all of them, except for what threads have not yet handed in.
void quarantine_empty(void (*release_memory)(void *, size_t, size_t));
