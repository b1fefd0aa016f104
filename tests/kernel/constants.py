"""The constants of coq/tensor/Functions.v and of c/kernel/math.inc are the same: random requests do not see the last bit of a small coefficient."""
import re, struct, sys
coq, c = open('coq/tensor/Functions.v').read(), open('c/kernel/math.inc').read()
own = {32: set(), 64: set()}
for size, section, digits in ((32, 'Single', 6), (64, 'Double', 13)):
    text = coq[coq.index('Section %s.' % section):coq.index('End %s.' % section)]
    for m, e in re.findall(r'\bc \(?(-?0x[0-9a-f]+)\)? \(?(-?\d+)\)?', text):
        own[size].add(abs(int(m, 16)) * 2.0 ** (int(e) - 4 * digits))
    assert len(own[size]) >= 20, size
ends = {float.fromhex(x) for x in ('0x1p-126', '0x1p+25', '0x1.fffffep+127', '0x1p-1022', '0x1p+54', '0x1.fffffffffffffp+1023', '0x1p+53')}
said = {32: {struct.unpack('<f', struct.pack('<I', 0x3f3504f3))[0]}, 64: {struct.unpack('<d', struct.pack('<Q', 0x3fe6a09e667f3bcd))[0]}}
assert '0x3f3504f3u' in c and '0x3fe6a09e667f3bcdu' in c
for text, single in re.findall(r'(0x1(?:\.[0-9a-f]+)?p[+-]\d+|\b\d+\.\d+)(f?)', c):
    x = float.fromhex(text) if text.startswith('0x') else float(text)
    if x not in ends:
        said[32 if single else 64].add(x)
plain = {0.0, 1.0, 2.0, 4.0, 6.0, 89.0, 104.0, 710.0, 746.0, 128.0, 153.0, 1024.0, 1078.0, 0.5}
bad = 0
for size in (32, 64):
    for x in sorted((own[size] ^ said[size]) - plain):
        print('%d bits: %s stands in one of the two alone' % (size, x.hex()))
        bad = 1
print('%d and %d constants' % (len(own[32]), len(own[64])))
sys.exit(bad)
