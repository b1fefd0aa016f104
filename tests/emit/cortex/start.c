/* A Cortex-M7 from its reset on: the floating-point unit is switched on, main is run, and its status is that of the program, by
   semihosting. There is no library: memcpy and memset, which the compiler may call, are here. */
#include <stddef.h>
#include <stdint.h>

enum { EXIT = 0x20, REASON = 0x20026 }; /* SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit */

extern uint32_t stack_top[]; /* link.ld */
int main(void);
void reset(void);
void *memcpy(void *restrict a, const void *restrict b, size_t n);
void *memset(void *a, int c, size_t n);

void *memcpy(void *restrict a, const void *restrict b, size_t n)
{
    char *p = a;
    const char *q = b;

    while (n--)
        *p++ = *q++;
    return a;
}

void *memset(void *a, int c, size_t n)
{
    char *p = a;

    while (n--)
        *p++ = (char)c;
    return a;
}

void reset(void)
{
    uint32_t block[2] = { REASON, 0 };
    register int operation __asm__("r0") = EXIT;
    register const uint32_t *parameter __asm__("r1") = block;

    *(volatile uint32_t *)0xe000ed88u |= 0xf00000u; /* CPACR: all may use CP10 and CP11 */
    __asm__ volatile("dsb\nisb" ::: "memory");
    block[1] = (uint32_t)main();
    operation = EXIT;
    parameter = block;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(parameter) : "memory");
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = { stack_top, (const void *)reset };
