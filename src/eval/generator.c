/* SPDX-License-Identifier: MIT */
#include "eval/generator.h"

#include "eval/dense.h"

#include <string.h>

static int state_of(int digit, int colour)
{
    return digit == 0 ? 0 : digit == colour + 1 ? 1 : 2;
}

void generator_shares(const NetGenerator *g, int colour, GeneratorShares *shares)
{
    for (int half = 0; half < GENERATOR_HALVES; half++) {
        int cells = 0, first = 0;
        for (int count = 1; half >= first + count; count *= 3, cells++) first += count;
        memset(shares->left[half], 0, sizeof shares->left[half]);
        memset(shares->right[half], 0, sizeof shares->right[half]);
        int digits = half - first;
        for (int i = 0; i < NET_REACH; i++, digits /= 3) {
            int state = i >= cells ? 3 : state_of(digits % 3, colour);
            const int16_t *left = g->cell[NET_REACH - 1 - i][state];
            const int16_t *right = g->cell[NET_REACH + 1 + i][state];
            for (int h = 0; h < NET_HIDDEN; h++) {
                shares->left[half][h] = (int16_t)(shares->left[half][h] + left[h]);
                shares->right[half][h] = (int16_t)(shares->right[half][h] + right[h]);
            }
        }
    }
    for (int c = 0; c < GENERATOR_CENTRES; c++)
        memcpy(shares->centre[c], g->cell[NET_REACH][state_of(c, colour)],
               sizeof shares->centre[c]);
}

static void first_layer(const GeneratorShares *s, int left, int centre, int right, uint8_t *out)
{
    int32_t sums[NET_HIDDEN];
    for (int h = 0; h < NET_HIDDEN; h++)
        sums[h] = s->left[left][h] + s->centre[centre][h] + s->right[right][h];
    dense_clips(sums, NET_HIDDEN, 0, out);
}

void generator_row(const NetGenerator *g, const GeneratorShares *s, int left, int centre, int right,
                   int8_t row[NET_HALF])
{
    uint8_t there[NET_HIDDEN], back[NET_HIDDEN], hidden[NET_HIDDEN];
    int32_t sums[NET_HIDDEN];
    first_layer(s, left, centre, right, there);
    first_layer(s, right, centre, left, back);
    for (int h = 0; h < NET_HIDDEN; h++) there[h] = (uint8_t)((there[h] + back[h]) >> 1);
    dense((const int8_t *)g->mix2, g->bias2, there, NET_HIDDEN, NET_HIDDEN, sums);
    dense_clips(sums, NET_HIDDEN, 6, hidden);
    dense((const int8_t *)g->mix3, g->bias3, hidden, NET_HIDDEN, NET_HALF, sums);
    for (int c = 0; c < NET_HALF; c++) {
        int32_t x = sums[c] >> 8;
        row[c] = (int8_t)(x < -NET_ROW_MOST ? -NET_ROW_MOST : x > NET_ROW_MOST ? NET_ROW_MOST : x);
    }
}
