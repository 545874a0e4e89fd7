/* SPDX-License-Identifier: MIT */
/* The player table from parameters that are at hand, not in a file. */
#pragma once

#include "eval/params.h"
#include "play/player.h"

Player *player_table_from(const Params *params, Err *err); /* NULL: they are none of table's */
