// Two libraries of the same size, loaded at the same addresses one after the other. `through` calls back with the same
// return address in both: in the first, from a function that `through` calls; in the second, from `through` itself,
// whose larger frame still contains what the first left there as a return address.
#ifdef FIRST
__asm__(
    ".text\n .globl through\n .type through,@function\n through:\n .cfi_startproc\n"
    " sub $24, %rsp\n .cfi_adjust_cfa_offset 24\n call inner\n returned: add $24, %rsp\n .cfi_adjust_cfa_offset -24\n "
    "ret\n .cfi_endproc\n"
    " .p2align 6\n inner:\n .cfi_startproc\n"
    " sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n .skip 14, 0x90\n call *%rdi\n add $8, %rsp\n .cfi_adjust_cfa_offset "
    "-8\n ret\n .cfi_endproc\n");
#else
__asm__(
    ".text\n .skip 4, 0x90\n .skip 5, 0x90\n returned: ud2\n .p2align 6\n"
    " .globl through\n .type through,@function\n through:\n .cfi_startproc\n"
    " sub $40, %rsp\n .cfi_adjust_cfa_offset 40\n lea returned(%rip), %rax\n mov %rax, 8(%rsp)\n .skip 2, 0x90\n"
    " call *%rdi\n add $40, %rsp\n .cfi_adjust_cfa_offset -40\n ret\n .cfi_endproc\n");
#endif
