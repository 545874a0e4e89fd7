/* SPDX-License-Identifier: MIT */
#include "search/outlook.h"

#include "game/ban.h"
#include "search/moves.h"

static bool wins_by_fours(Board *board, Vcf *vcf, int64_t fours)
{
    VcfResult found;
    if (!fours || !vcf_is_possible(board)) return false;
    return vcf_search(vcf, board, &(VcfLimits){.nodes = fours}, &found) == SOLVE_WIN;
}

Outlook outlook_of(Board *board, Vcf *vcf, int64_t fours, Point *moves, int *count)
{
    *count = 0;
    if (board->won != CELL_EMPTY) return OUTLOOK_LOST; /* only who just moved completes a row */
    if (board_is_full(board)) return OUTLOOK_DRAWN;
    if (!board->stones) {
        const Rules *rules = &board->rules;
        Point centre = rules_point(rules, rules->width / 2, rules->height / 2);
        if (ban_allows(board, centre, board->side)) {
            moves[(*count)++] = centre;
            return OUTLOOK_FORCED;
        }
    }
    Threat threat = moves_threat(board);
    if (threat == THREAT_WE_FIVE || threat == THREAT_WE_FOUR) return OUTLOOK_WON;
    if (wins_by_fours(board, vcf, fours)) return OUTLOOK_WON;
    *count = moves_list(board, threat, moves);
    if (!*count) return threat == THREAT_NONE ? OUTLOOK_DRAWN : OUTLOOK_LOST;
    return *count == 1 ? OUTLOOK_FORCED : OUTLOOK_OPEN;
}
