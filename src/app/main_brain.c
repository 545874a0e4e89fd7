/* SPDX-License-Identifier: MIT */
/* pbrain-goren: the brain alone, as one file that needs nothing else. */
#include "app/brain.h"

int main(void)
{
    return brain_run("ab");
}
