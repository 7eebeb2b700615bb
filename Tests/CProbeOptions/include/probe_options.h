#pragma once
// The probe's reader of LIFELINE_OPTIONS, for testing arbitrary text in a separate process.

/// Reads the options and matches a class name against their patterns.
void probe_options_read(const char *text);
