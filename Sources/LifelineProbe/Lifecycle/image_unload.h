#pragma once

/// Forgets what was known of libraries that are no longer loaded.
void image_forget_missing(void);
