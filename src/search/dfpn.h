/* SPDX-License-Identifier: MIT */
/* Dfpn: depth-first proof-number search (Nagai 2002) for a win of the side to move: by threats only
 * (GOAL_VCT), or by any moves (GOAL_WIN; Allis' order, threats first).
 *
 * Every position has a proof number and a disproof number: about how much work is left to show that
 * the attacker wins, and that he does not. The search always goes where that work is least. Numbers
 * of siblings are not added but their largest taken, plus one for each other sibling that is open
 * (weak proof-number search, Ueda and others 2008), since siblings share much of their work.
 *
 * A stone is never taken away, so positions never repeat and what is proved once is right for good;
 * what is disproved is, too, unless a search by fours had to give up on the way. SOLVE_WIN comes
 * with a line; SOLVE_NONE means there is no win of that kind. */
#pragma once

#include "search/proof.h"
#include "search/vcf.h"

typedef struct {
    int64_t nodes;           /* positions and attacks by fours together; 0: no limit */
    const atomic_bool *stop; /* may be NULL */
    int64_t deadline;        /* an instant of os_clock_ms; 0: none */
} DfpnLimits;

typedef struct {
    Point move; /* POINT_NONE without a win */
    int plies;  /* of line: the win takes no more against that defence; a bound */
    int64_t nodes;
    Point *line; /* both sides' moves; POINT_NONE where the only block is forbidden. The
                    prover's, good until its next search */
} DfpnResult;

typedef struct Dfpn Dfpn;

/* For all its tables; too small ones leave questions unknown. NULL when the system refuses so much.
 */
Dfpn *dfpn_open(size_t bytes);
void dfpn_close(Dfpn *dfpn);

/* Can the attacker, whoever is to move, force a win? The board is played on and left as it was;
 * nothing is allocated. A line comes only if he is to move himself. */
Verdict dfpn_search(Dfpn *dfpn, Board *board, Goal goal, Colour attacker, const DfpnLimits *limits,
                    DfpnResult *out);

/* After SOLVE_WIN, on a position of that win with the attacker to move: his winning move. The same
 * limits go on; POINT_NONE if they do not suffice to find it again. */
Point dfpn_move(Dfpn *dfpn, Board *board);
