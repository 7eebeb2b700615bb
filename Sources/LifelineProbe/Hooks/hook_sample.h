#pragma once
// A sample of the objects.

/// The hook that decides first whether the object is in the sample; the hook itself if there is none.
void *hook_at_sample(const char *name, void *hook);
