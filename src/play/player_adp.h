/* SPDX-License-Identifier: MIT */
/* The player adp from parameters that are at hand, not in a file; and its critic for others. */
#pragma once

#include "eval/critic_adp.h"
#include "play/player.h"

Player *player_adp_from(const Params *params, Err *err); /* NULL: they are none of adp's */
/* The critic in the file, or the one that is built in for the form. */
bool player_adp_load(AdpCritic *critic, const char *path, AdpForm form, Err *err);
