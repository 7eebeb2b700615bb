#pragma once

/// Forgets what was known of libraries that are not loaded any more.
void image_forget_missing(void);
