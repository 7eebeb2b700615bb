#pragma once
// The functions that `lifeline attach` and `lifeline detach` call in a running process, on a thread that they create.

#define ATTACH_THREAD "lifeline"  // that thread's name

/// Begins a recording; NULL, or a sentence on why there is none. `options` is as LIFELINE_OPTIONS.
__attribute__((visibility("default"))) const char *lifeline_attach(const char *options);
/// Ends it: removes the detours and closes the trace; NULL or a sentence.
__attribute__((visibility("default"))) const char *lifeline_detach(const char *unused);
