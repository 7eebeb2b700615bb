// The version of Lifeline, defined only here.
#ifndef LIFELINE_VERSION_H
#define LIFELINE_VERSION_H

#define LIFELINE_RELEASE "1.0.0"

#endif
