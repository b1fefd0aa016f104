"""Shrinks a random program on which oracle and implementation differ. usage: shrink.py ORACLE DPIA_TEXT CHOICE..
Runs of choices are dropped, then choices made smaller, as long as the answers still differ; prints the smallest program."""
import subprocess
import sys

oracle, text, choices = sys.argv[1], sys.argv[2], sys.argv[3:]
tries = 0


def out(*args, stdin=None):
    return subprocess.run(args, input=stdin, capture_output=True, text=True).stdout


def differs(tape):
    global tries
    tries += 1
    request = out(text, "requests", "tape", *tape)
    return request != "" and out(oracle, "dpia", stdin=request) != out(text, "answers", "tape", *tape)


def shrink(tape):
    size = max(1, len(tape) // 2)
    while size >= 1 and tries < 2000:
        at = 0
        while at < len(tape) and tries < 2000:
            smaller = tape[:at] + tape[at + size:]
            if differs(smaller):
                tape = smaller
            else:
                at += size
        size //= 2
    for at in range(len(tape)):
        for k in range(int(tape[at])):
            if tries < 3000 and differs(tape[:at] + [str(k)] + tape[at + 1:]):
                tape = tape[:at] + [str(k)] + tape[at + 1:]
                break
    return tape


if not differs(choices):
    sys.exit("the answers to this program are equal")
tape = shrink(choices)
request = out(text, "requests", "tape", *tape)
print("shrunk after %d tries:" % tries)
print(request, end="")
print("oracle:\n" + out(oracle, "dpia", stdin=request), end="")
print("implementation:\n" + out(text, "answers", "tape", *tape), end="")
