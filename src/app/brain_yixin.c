/* SPDX-License-Identifier: MIT */
#include "app/brain_inside.h"

const BrainCommand brain_yixin_commands[] = {{0}};
