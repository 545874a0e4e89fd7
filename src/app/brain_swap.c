/* SPDX-License-Identifier: MIT */
#include "app/brain_inside.h"

void brain_swap2(Brain *brain)
{
    brain_say(brain, "ERROR SWAP2BOARD is not there yet");
}
