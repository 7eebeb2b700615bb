#pragma once
// Nothing to call: the library acts when it is loaded.
