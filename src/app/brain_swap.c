/* SPDX-License-Identifier: MIT */
/* Swap2 and balanced moves: play/settle.h and play/balance.h decide, here it is asked and its
 * answer given. */
#include "app/brain_inside.h"

#include "search/score.h"

/* Asks about the stones that are put. False: there is nothing to answer; what went wrong was said.
 */
static bool ask_quietly(Brain *brain, BrainAsk ask, Thought *thought)
{
    Err err = {0};
    ask.quiet = true;
    if (brain_think(brain, ask, thought, &err)) return true;
    if (!atomic_load(&brain->quit)) brain_error(brain, &err);
    return false;
}

/* Puts the stones, the colours in turn, and answers with them. */
static void answer_stones(Brain *brain, const Thought *thought)
{
    const Rules *rules = &brain->board->rules;
    for (int i = 0; i < thought->stone_count; i++) {
        Point p = thought->stones[i];
        brain_put(brain, rules_x(rules, p), rules_y(rules, p), brain_side(brain), NULL);
    }
    brain_say_points(brain, thought->stones, thought->stone_count);
}

void brain_balance(Brain *brain, int stones, int64_t bias)
{
    Thought thought;
    if (bias > SCORE_MATE) bias = SCORE_MATE;
    if (bias < -SCORE_MATE) bias = -SCORE_MATE;
    brain->us = brain_side(brain);
    brain_set_board(brain, brain->us);
    const Rules *rules = &brain->board->rules;
    /* On an empty board players look at nothing but the centre, unless it is not to be had. */
    if (stones == 1 && !brain->count)
        brain->avoid[brain->avoid_count++] =
            rules_point(rules, rules->width / 2, rules->height / 2);
    if (ask_quietly(brain, (BrainAsk){.balance = stones, .bias = bias}, &thought))
        answer_stones(brain, &thought);
}

/* The stones come in the order in which they were put; the fields say nothing that counts. */
void brain_swap2(Brain *brain)
{
    static const Ask asks[] = {[0] = ASK_THREE, [3] = ASK_COLOUR_OR_TWO, [5] = ASK_COLOUR};
    int count = brain->entry_count;
    Err err;
    Thought thought;
    if (count != 0 && count != 3 && count != 5) {
        brain_say(brain, "ERROR swap2 has no, three or five stones, not %d", count);
        return;
    }
    for (int i = 0; i < count; i++) brain->entries[i].field = i % 2 ? 2 : 1;
    if (!brain_set_entries(brain, &err)) {
        brain_error(brain, &err);
        return;
    }
    brain_set_board(brain, brain_side(brain));
    if (!ask_quietly(brain, (BrainAsk){.what = asks[count]}, &thought)) return;
    if (thought.decision == DECIDE_SWAP) {
        brain->us = BLACK;
        brain_say(brain, "SWAP");
        return;
    }
    if (thought.decision == DECIDE_MOVE) brain->us = WHITE;
    answer_stones(brain, &thought);
}
