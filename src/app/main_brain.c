/* SPDX-License-Identifier: MIT */
/* pbrain-goren: the brain alone, as one file that needs nothing else. */
#include "app/brain.h"
#include "play/player.h"

const PlayerKind *const player_kinds[] = {&player_ab, NULL};

int main(void)
{
    return brain_run("ab");
}
