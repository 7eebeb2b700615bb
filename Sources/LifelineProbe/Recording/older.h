#pragma once
// Objects whose allocation the trace does not have: the recording began later, or keeps only its latest part.
#include <stdint.h>

#include "lifeline_event.h"

/// In a process that begins to record: nothing is known of any object.
void older_prepare(void);
/// Where the recording began late: tells the class of an object that may be older.
void older_meet(enum lifeline_event_kind kind, uint64_t object);
/// Where only the latest part is kept: tells the class of a freed object.
void older_name_freed(uint64_t object, uint32_t class_id);
