#pragma once
// A sample of the objects.

/// The hook that decides first whether the object is in the sample; the hook itself if there is none.
void *hook_at_sample(const char *name, void *hook);
/// Where the memory of all objects is returned, lets the sample forget them. `original` is what the detour of an entry
/// point leads to.
void hook_forget_freed(const char *name, void **original);
