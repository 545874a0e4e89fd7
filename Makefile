# SPDX-License-Identifier: MIT
# The front door, and the only build of the C code.
#
#   make play     set up, build, and play          make test    set up, build, and test
#   make build    build/goren                      make bench   speed of the board
#   make brain    build/pbrain-goren, for Gomocup  make brain-windows  the same, for Windows
#   make asan     tests under ASan and UBSan       make tsan    tests under TSan
#   make fuzz     libFuzzer on every parser        make lint    layers, format, static checks
#   make test-long  the long versions of the tests      make test-wins  no claimed win is false
#   make soak     2,000 games of brain processes
#   make MPI=1    build-mpi/goren: matches over many machines (mpirun); make test-mpi
#   make train-lib  the library that train/ drives      make test-train  the training loop, small
#   make test-web   the page in a browser, every view (WEB picks: play think keep watch manners)
#
# CONFIG picks a flavour (release debug asan tsan), BUILD where it goes, CC the compiler, ARCH the
# instruction set (native: the program is built on the machine that runs it).

CONFIG ?= release
BUILD  ?= build$(if $(filter-out release,$(CONFIG)),-$(CONFIG))$(if $(MPI),-mpi)
ARCH   ?= native
PREFIX ?= /usr/local

STRICT := -Wall -Wextra -pedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
          -Wwrite-strings -Wundef -Wno-psabi
COMMON := -std=c17 -D_GNU_SOURCE -Isrc -ffp-contract=off -fno-common -pthread -g $(STRICT) $(WERROR)

FLAGS_release := -O3 -march=$(ARCH) -flto=auto -DNDEBUG
FLAGS_debug   := -O1 -fno-omit-frame-pointer
FLAGS_checked := -O2 -march=$(ARCH)
FLAGS_asan    := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_fuzz    := -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
                 -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -fno-omit-frame-pointer -fsanitize=thread

# gcc's archives carry its LTO code; clang's would need tools of their own, so it goes without.
ifneq (,$(findstring clang,$(CC)))
FLAGS_release := $(filter-out -flto=auto,$(FLAGS_release))
else
AR := gcc-ar
endif

CFLAGS  = $(COMMON) $(FLAGS_$(CONFIG)) $(MPI_FLAGS) $(EXTRA)
LDLIBS := -lexpat -ljansson -lsqlite3 -lm
SERVE_LIBS := -lwebsockets

# MPI=1: matches over many machines, by Open MPI. Without it one file takes the other's place.
MPICC ?= mpicc
ifdef MPI
NOT_RANKS := src/play/ranks_alone.c
MPI_FLAGS := $(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile))
LDLIBS += $(shell $(MPICC) --showme:link)
else
NOT_RANKS := src/play/ranks_mpi.c
endif

LAYERS   := base game eval search play learn
LIB_SRC  := $(filter-out src/base/os_windows.c $(NOT_RANKS),\
            $(foreach layer,$(LAYERS),$(sort $(wildcard src/$(layer)/*.c))))
APP_SRC  := $(sort $(filter-out src/app/main_brain.c,$(wildcard src/app/*.c)))
BRAIN_SRC := $(sort $(wildcard src/app/brain*.c))
# What goren serve does, without its sockets.
HUB_SRC := $(sort $(wildcard src/app/hub*.c src/app/table*.c)) \
           $(patsubst %,src/app/%.c,request problems cli match_show match_files)
TEST_SRC := $(sort $(wildcard test/test_*.c))
AIDE_SRC := $(sort $(filter-out $(TEST_SRC),$(wildcard test/*.c)))
FUZZ_SRC := $(sort $(wildcard test/fuzz/fuzz_*.c))

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
# Files of data/ that are a part of the program: see src/base/data.h.
DATA     := $(sort $(wildcard data/*.params data/*.tsv data/*.txt))
DATA_OBJ := $(patsubst %,$(BUILD)/obj/%.o,$(DATA))
NETWORKS := $(sort $(wildcard data/*.net))
LIB_OBJ := $(call obj,$(LIB_SRC)) $(DATA_OBJ) $(BUILD)/obj/networks.o
APP_OBJ := $(call obj,$(APP_SRC))
TESTS   := $(patsubst test/%.c,$(BUILD)/test/%,$(TEST_SRC))
ALL_OBJ := $(LIB_OBJ) $(APP_OBJ) $(call obj,src/app/main_brain.c test/wins/false_wins.c $(TEST_SRC) $(AIDE_SRC))

.PHONY: all help brain brain-windows test-ban test-long test-mpi test-match-long test-learn-long test-load test-patterns-long test-wins soak build play test check bench asan tsan fuzz fuzz-build lint format setup clean install
.SECONDARY:

all: build
build: $(BUILD)/goren

play: setup
	@$(MAKE) --no-print-directory build
	@$(BUILD)/goren serve --open

test: setup
	@$(MAKE) --no-print-directory CONFIG=checked check

setup:
	@scripts/setup

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

# The long runs behind the short ones of make test: a million random positions against the rules'
# text, whole 100x100 games with every move audited, the slower m,n,k games, a million moves followed
# by networks.
test-ban: setup
	@$(MAKE) --no-print-directory CONFIG=checked build-checked/test/test_ban
	BAN_POSITIONS=1000000 build-checked/test/test_ban
test-long: test-ban test-match-long test-learn-long test-patterns-long
	@$(MAKE) --no-print-directory CONFIG=checked $(patsubst %,build-checked/test/test_%,board mnk net)
	BOARD_LONG=1 build-checked/test/test_board
	MNK_LONG=1 build-checked/test/test_mnk
	NET_STEPS=100000 build-checked/test/test_net

# Claimed wins in positions of real games, played out; WINS gives options (--from, --count, …).
GAMES ?= ../shared/data/games/psq-1000.tar.gz
test-wins: setup
	@$(MAKE) --no-print-directory build/test/false_wins
	@mkdir -p build/games && tar xzf $(GAMES) -C build/games --strip-components=1
	build/test/false_wins $(WINS) build/games/*.psq
$(BUILD)/test/false_wins: $(BUILD)/obj/test/wins/false_wins.o $(BUILD)/libgoren.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# Whole games of brain processes, each answer judged; SOAK gives options. CONFIG=asan or tsan soaks
# that flavour, more patiently.
SOAK ?= --games 2000 --turn 100
SOAK_asan := --tolerance 2
SOAK_tsan := --tolerance 3 --threads 2
soak: setup
	@$(MAKE) --no-print-directory CONFIG=release build
	@$(MAKE) --no-print-directory build
	test/soak $(BUILD)/goren --judge build/goren $(SOAK_$(CONFIG)) $(SOAK)

# Matches over MPI ranks on this machine; installs Open MPI if it is missing.
test-mpi:
	@scripts/setup libopenmpi-dev openmpi-bin
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory MPI=1 build
	GOREN=build/goren GOREN_MPI=build-mpi/goren test/cli_ranks
# A thousand kills at random moments, and games of equal players: no side and no seat is favoured.
test-match-long: build
	KILLS=1000 KILL_GAMES=200 GOREN=$(BUILD)/goren test/cli_match test_kills
	FAIR=1000 GOREN=$(BUILD)/goren test/cli_match test_fair test_overhead

# 500 clients that only look and 20 that play, against the promises of DESIGN.md.
test-load: build
	GOREN=$(BUILD)/goren test/load

# The page in a real browser; make test runs a handful of these (test/cli_web).
.PHONY: test-web
test-web: setup build
	cd web && npx --no-install tsc --noEmit
	GOREN=$(abspath $(BUILD)/goren) web/test/run $(WEB)

# A learner of each kind killed a hundred times in all.
test-learn-long: build
	KILLS=100 GOREN=$(BUILD)/goren test/cli_learn test_kills

# A hundred kills of the pattern learner at random moments; after 300 games it beats itself after 5,
# whatever the seed.
PATTERN_SEEDS ?= 1 2 3 4 5
test-patterns-long: build
	KILLS=100 GOREN=$(BUILD)/goren test/cli_patterns test_kills
	SEEDS="$(PATTERN_SEEDS)" GOREN=$(BUILD)/goren test/cli_patterns test_better

# Runs every test program and the command-line tests; needs no set-up of its own.
check: $(BUILD)/goren $(TESTS)
	@GOREN=$(BUILD)/goren scripts/check $(TESTS)

bench: $(BUILD)/goren
	$(BUILD)/goren bench --board

asan tsan: setup
	@$(MAKE) --no-print-directory CONFIG=$@ QUICK=1 check

$(BUILD)/libgoren.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/goren: $(APP_OBJ) $(BUILD)/obj/page.o $(BUILD)/libgoren.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS) $(SERVE_LIBS)

# The page of goren serve: bundled by scripts/page, written as a C file by scripts/embed.
WEB_SRC := $(shell find web \( -name node_modules -o -path web/test \) -prune -o -type f -print 2>/dev/null)
build/web.stamp: $(WEB_SRC) scripts/page
	@scripts/page build/web $@
$(BUILD)/page.c: build/web.stamp scripts/embed
	@mkdir -p $(BUILD)
	@scripts/embed build/web > $@.new && mv $@.new $@
$(BUILD)/obj/page.o: $(BUILD)/page.c src/app/page.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

# What a tournament runs: one file, with nothing in it but the engine.
brain: $(BUILD)/pbrain-goren
$(BUILD)/pbrain-goren: $(call obj,src/app/main_brain.c $(BRAIN_SRC)) $(BUILD)/libgoren.a
	$(CC) $(CFLAGS) -o $@ $^ -lm

# The same for Windows, by mingw-w64. Its compiler believes the stack to be aligned for 32-byte
# vectors, which Windows does not promise; the assembler puts that right.
WINDOWS_CC   ?= x86_64-w64-mingw32-gcc
WINDOWS_ARCH ?= x86-64-v3
WINDOWS_SRC  := $(filter-out src/base/os.c src/base/child.c src/base/family.c src/game/record%,\
                $(wildcard $(foreach layer,base game eval search,src/$(layer)/*.c))) \
                $(patsubst %,src/play/%.c,player player_ab level settle balance) \
                $(BRAIN_SRC) src/app/main_brain.c
brain-windows: build-windows/pbrain-goren.exe
build-windows/pbrain-goren.exe: $(WINDOWS_SRC) $(wildcard src/*/*.h) build-windows/networks
	@command -v $(WINDOWS_CC) >/dev/null || { echo 'this needs the package gcc-mingw-w64-x86-64'; exit 1; }
	@mkdir -p $(@D)
	$(WINDOWS_CC) $(filter-out -pthread,$(COMMON)) -Wno-format -O3 -march=$(WINDOWS_ARCH) -DNDEBUG \
	  -flto -Wa,-muse-unaligned-vector-move -static -s -o $@ $(WINDOWS_SRC) \
	  $(call embed,build-windows/networks) -lpsapi

# What train/ drives through ctypes: rules, search and self-play in one shared object that needs
# nothing but a C compiler, since machines with accelerators are often bare.
TRAIN_SRC := $(filter-out src/base/os_windows.c src/base/child.c src/base/family.c src/game/record%,\
             $(sort $(wildcard $(foreach layer,base game eval search,src/$(layer)/*.c)))) \
             $(patsubst %,src/learn/%.c,archive intake relabel selfplay team planes replay starts actors duel probe)
.PHONY: train-lib test-train
train-lib: $(BUILD)/libgoren-train.so
$(BUILD)/libgoren-train.so: $(TRAIN_SRC) $(wildcard src/*/*.h) $(BUILD)/flags $(BUILD)/obj/networks.o
	@mkdir -p $(@D)
	$(CC) $(filter-out -flto=auto,$(CFLAGS)) -fPIC -shared -o $@ $(TRAIN_SRC) $(BUILD)/obj/networks.o -lm

# The whole loop on the processor with a tiny network; skipped, with a word, without PyTorch.
# The network's arithmetic is compared for four instruction sets.
TRAIN_LIBS := $(BUILD)/libgoren-train.so $(patsubst %,build-v%/libgoren-train.so,1 2 3)
test-train: $(BUILD)/libgoren-train.so
	@$(MAKE) --no-print-directory BUILD=build-v1 ARCH=x86-64 build-v1/libgoren-train.so
	@$(MAKE) --no-print-directory BUILD=build-v2 ARCH=x86-64-v2 build-v2/libgoren-train.so
	@$(MAKE) --no-print-directory BUILD=build-v3 ARCH=x86-64-v3 build-v3/libgoren-train.so
	@scripts/with-torch train/test_student.py $(TRAIN_LIBS)
	@scripts/with-torch train/test_train.py $(BUILD)/libgoren-train.so

$(BUILD)/test/test_brain: $(call obj,$(BRAIN_SRC))
$(BUILD)/test/%: $(BUILD)/obj/test/%.o $(call obj,$(AIDE_SRC)) $(BUILD)/libgoren.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libgoren.a -lcmocka $(LDLIBS)

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# A network's arithmetic runs at full speed in every flavour, or tests would wait for it for minutes.
# TSan leaves out what belongs to one thread; rows.c and network.c, where they meet, it watches.
ARITHMETIC := $(patsubst %,$(BUILD)/obj/src/eval/%.o,generator linenet)
$(ARITHMETIC) $(BUILD)/obj/src/eval/network.o: private EXTRA += -O3 -march=$(ARCH)
ifeq ($(CONFIG),tsan)
$(ARITHMETIC): private EXTRA += -fno-sanitize=thread
endif

data_symbol = data_$(subst -,_,$(subst .,_,$(notdir $(1))))
embed = -DDATA_BYTES=$(call data_symbol,$(1)) -DDATA_SIZE=$(call data_symbol,$(1))_size \
        '-DDATA_FILE="$(1)"' src/base/embed.S
$(DATA_OBJ): $(BUILD)/obj/%.o: % src/base/embed.S
	@mkdir -p $(@D)
	$(CC) $(call embed,$<) -c -o $@
$(BUILD)/obj/networks.o: $(BUILD)/networks src/base/embed.S
	@mkdir -p $(@D)
	$(CC) $(call embed,$<) -c -o $@

# The networks of data/, if any, one after the other: src/eval/networks.c takes them apart.
%/networks: FORCE
	@mkdir -p $(@D)
	@cat /dev/null $(NETWORKS) | cmp -s - $@ || cat /dev/null $(NETWORKS) > $@

# A change of compiler or flags rebuilds everything.
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD)
	@echo '$(CC) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(CFLAGS)' > $@
.PHONY: FORCE
FORCE:

# Fuzzers share one instrumented library; libFuzzer itself comes in when each is linked.
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst test/fuzz/%.c,$(BUILD)/%,$(FUZZ_SRC))
fuzz-build: $(FUZZERS)
$(BUILD)/fuzz_brain: $(call obj,$(BRAIN_SRC))
$(BUILD)/fuzz_hub: $(call obj,$(HUB_SRC))
$(BUILD)/fuzz_request: $(call obj,src/app/request.c)
$(BUILD)/fuzz_%: $(BUILD)/obj/test/fuzz/fuzz_%.o $(BUILD)/libgoren.a
	$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(BUILD)/libgoren.a $(LDLIBS)
fuzz: setup
	@$(MAKE) --no-print-directory CONFIG=fuzz CC=clang AR=ar fuzz-build
	@scripts/fuzz $(FUZZ_SECONDS) $(patsubst test/fuzz/%.c,build-fuzz/%,$(FUZZ_SRC))

lint:
	@scripts/lint

format:
	clang-format -i $$(git ls-files 'src/*.[ch]' 'test/*.[ch]')

install: build
	install -D $(BUILD)/goren $(DESTDIR)$(PREFIX)/bin/goren

clean:
	rm -rf build build-*

-include $(ALL_OBJ:.o=.d)
