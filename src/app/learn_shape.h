/* SPDX-License-Identifier: MIT */
/* The part of goren learn that is no Learner: shape. */
#pragma once

int learn_shape(int argc, char **argv);
