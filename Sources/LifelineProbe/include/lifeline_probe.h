#pragma once
// What a traced program may call. It is found with dlsym(NULL, …) and is absent when nothing is recorded.

/// Puts a mark with a text of at most 8191 bytes into the trace, at this moment of the calling thread.
void lifeline_mark(const char *text);
