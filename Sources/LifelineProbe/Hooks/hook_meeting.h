#pragma once
// The hooks of an exploration where threads meet.

/// Puts points where threads meet: locks, semaphores, queues, tasks.
void explore_meetings(void);
