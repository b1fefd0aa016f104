#!/bin/sh
# The book of the reference as a PDF, by a headless Chromium; without one there is none.
# usage: pdf.sh SITE
set -eu
for p in chromium chromium-browser google-chrome; do
    command -v "$p" >/dev/null || continue
    home=$(mktemp -d)
    trap 'rm -rf "$home"' EXIT
    "$p" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$home" --no-pdf-header-footer \
        --print-to-pdf="$1/calque.pdf" "file://$(cd "$1" && pwd)/book.html" >"$home/log" 2>&1 || { cat "$home/log" >&2; exit 1; }
    [ -s "$1/calque.pdf" ] || { cat "$home/log" >&2; exit 1; }
    echo "$1/calque.pdf"
    exit 0
done
echo "no PDF: chromium is not here (apt-get install chromium)"
