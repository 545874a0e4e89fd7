/* SPDX-License-Identifier: MIT */
/* The bytes of DATA_FILE as DATA_BYTES, and how many there are as DATA_SIZE; see data.h. */
#ifdef _WIN32
        .section .rdata, "dr"
#else
        .section .rodata
#endif
        .global DATA_BYTES
        .global DATA_SIZE
        .balign 64
DATA_BYTES:
        .incbin DATA_FILE
1:
        .balign 8
DATA_SIZE:
        .quad 1b - DATA_BYTES
#ifdef __ELF__
        .section .note.GNU-stack, "", %progbits
#endif
