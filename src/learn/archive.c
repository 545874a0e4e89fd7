/* SPDX-License-Identifier: MIT */
#include "learn/archive.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "base/os.h"

#include <string.h>

static const char magic[] = "goren games 1\n";
enum { MAGIC_LEN = sizeof magic - 1, HEAD_LEN = 16, PLY_LEN = 6, CHECK_LEN = 4 };

struct Archive {
    FileLock *lock; /* two writers would play the same games */
    FILE *file;
    uint8_t *have; /* one bit a game number */
    size_t have_bytes;
    int count;
    bool rule[RULE_COUNT]; /* there are games of it */
};

/* What is something else may be too long to be read as a whole: how it begins is looked at first.
 */
bool archive_read(const char *path, Buf *bytes, Err *err)
{
    char head[MAGIC_LEN] = "";
    FILE *file = fopen(path, "rb");
    bool is = !file || (fread(head, 1, sizeof head, file) == sizeof head &&
                        memcmp(head, magic, sizeof head) == 0);
    if (file) fclose(file);
    if (is) return os_file_read(path, SIZE_MAX / 2, bytes, err);
    return err_set(err, "%s is not a file of self-played games; goren selfplay makes them", path);
}

/* Points on the board, none twice, a kind that exists: what a reader may rely on. */
static bool game_is_sound(const ArchiveGame *game)
{
    uint8_t seen[SIZE_MAX_SIDE * SIZE_MAX_SIDE / 8 + 1] = {0};
    int area = game->rules.width * game->rules.height;
    if (game->winner > ARCHIVE_UNFINISHED || game->opening > game->plies) return false;
    for (int i = 0; i < game->plies; i++) {
        int p = game->ply[i].played;
        if (p >= area || game->ply[i].best >= area || seen[p / 8] & 1 << p % 8) return false;
        seen[p / 8] |= (uint8_t)(1 << p % 8);
    }
    return true;
}

bool archive_next(const Buf *bytes, size_t *at, ArchiveGame *game, bool *whole)
{
    const uint8_t *data = (const uint8_t *)bytes->data;
    if (*at == 0) *at = MAGIC_LEN;
    *whole = *at == bytes->len;
    if (bytes->len < *at + HEAD_LEN) return false;
    const uint8_t *head = data + *at;
    int plies = bytes_get16(head + 12);
    size_t len = HEAD_LEN + (size_t)plies * PLY_LEN;
    if (plies > ARCHIVE_PLIES_MAX || bytes->len < *at + len + CHECK_LEN) return false;
    if (bytes_get32(head + len) != bytes_sum32(head, len)) return false;
    if (head[0] >= RULE_COUNT || !rules_check(head[1], head[2], head[3], NULL)) return false;
    rules_init(&game->rules, (RuleKind)head[0], head[1], head[2], head[3]);
    game->opening = head[4];
    game->winner = head[5];
    game->number = bytes_get32(head + 8);
    game->plies = plies;
    const uint8_t *p = head + HEAD_LEN;
    for (int i = 0; i < plies; i++, p += PLY_LEN)
        game->ply[i] =
            (ArchivePly){bytes_get16(p), bytes_get16(p + 2), (int16_t)bytes_get16(p + 4)};
    if (!game_is_sound(game)) return false;
    *at += len + CHECK_LEN;
    return true;
}

static void have_add(Archive *archive, const ArchiveGame *game)
{
    uint32_t number = game->number;
    size_t need = (size_t)number / 8 + 1;
    if (need > archive->have_bytes) {
        archive->have = mem_grow(archive->have, 2 * need);
        memset(archive->have + archive->have_bytes, 0, 2 * need - archive->have_bytes);
        archive->have_bytes = 2 * need;
    }
    archive->have[number / 8] |= (uint8_t)(1 << number % 8);
    archive->rule[game->rules.kind] = true;
    archive->count++;
}

/* Reads what is there; leaves in `bytes` just the whole games. */
static bool take_stock(Archive *archive, const char *path, Buf *bytes, Err *err)
{
    ArchiveGame *game = mem_alloc(sizeof *game);
    size_t at = 0;
    bool whole;
    while (archive_next(bytes, &at, game, &whole)) have_add(archive, game);
    mem_free(game);
    bytes->len = at;
    return whole || os_file_replace(path, bytes->data, bytes->len, err);
}

Archive *archive_open(const char *path, Err *err)
{
    FileLock *lock = os_file_lock(path, err);
    if (!lock) return NULL;
    Archive *archive = mem_zero(sizeof *archive);
    archive->lock = lock;
    Buf bytes = BUF_EMPTY;
    FILE *old = fopen(path, "rb");
    bool empty = !old || fgetc(old) == EOF;
    if (old) fclose(old);
    bool good =
        empty || (archive_read(path, &bytes, err) && take_stock(archive, path, &bytes, err));
    if (good) {
        archive->file = fopen(path, "ab");
        good = archive->file != NULL;
        if (!good) err_set(err, "%s cannot be written", path);
    }
    if (good && !bytes.len) good = fwrite(magic, 1, MAGIC_LEN, archive->file) == MAGIC_LEN;
    buf_free(&bytes);
    if (good) return archive;
    archive_close(archive);
    return NULL;
}

bool archive_has(const Archive *archive, uint32_t number)
{
    return number / 8 < archive->have_bytes && archive->have[number / 8] & 1 << number % 8;
}

int archive_count(const Archive *archive)
{
    return archive->count;
}

bool archive_check_rule(const Archive *archive, RuleKind rule, Err *err)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (archive->rule[i] && i != (int)rule)
            return err_set(err, "holds games of %s, not of %s; give --rule %s, or another --out",
                           rule_name((RuleKind)i), rule_name(rule), rule_name((RuleKind)i));
    return true;
}

void archive_encode(const ArchiveGame *game, Buf *out)
{
    size_t start = out->len;
    buf_add(out,
            (uint8_t[]){(uint8_t)game->rules.kind, (uint8_t)game->rules.width,
                        (uint8_t)game->rules.height, (uint8_t)game->rules.k,
                        (uint8_t)(game->opening < 255 ? game->opening : 255), game->winner, 0, 0},
            8);
    bytes_put32(out, game->number);
    bytes_put16(out, (uint16_t)game->plies);
    bytes_put16(out, 0);
    for (int i = 0; i < game->plies; i++) {
        bytes_put16(out, game->ply[i].played);
        bytes_put16(out, game->ply[i].best);
        bytes_put16(out, (uint16_t)game->ply[i].score);
    }
    bytes_put32(out, bytes_sum32(out->data + start, out->len - start));
}

bool archive_add(Archive *archive, const ArchiveGame *game, Err *err)
{
    Buf out = BUF_EMPTY;
    archive_encode(game, &out);
    bool good =
        fwrite(out.data, 1, out.len, archive->file) == out.len && fflush(archive->file) == 0;
    buf_free(&out);
    if (!good) return err_set(err, "the games cannot be written: the disk may be full");
    have_add(archive, game);
    return true;
}

void archive_close(Archive *archive)
{
    if (archive->file) fclose(archive->file);
    os_file_unlock(archive->lock);
    mem_free(archive->have);
    mem_free(archive);
}
