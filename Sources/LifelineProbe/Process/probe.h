#pragma once
// Start and stop of the whole probe.

/// In a forked child: begins its own trace. Called by the first hook that notices.
void probe_begin_child(void);
