#pragma once
// A sample of the objects.

/// What decides before a hook whether the object is in the sample; the hook itself where nothing does.
void *hook_at_sample(const char *name, void *hook);
