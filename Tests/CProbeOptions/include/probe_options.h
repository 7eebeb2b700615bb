#pragma once
// The probe's reader of LIFELINE_OPTIONS, for what tries it with any text in a process of its own.

/// Reads the options, and matches a class's name with the patterns among them.
void probe_options_read(const char *text);
