/* SPDX-License-Identifier: MIT */
/* The player td from parameters that are at hand, not in a file. */
#pragma once

#include "eval/params.h"
#include "play/player.h"

Player *player_td_from(const Params *params, Err *err); /* NULL: they are none of td's */
