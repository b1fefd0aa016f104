"""report.html in a headless Chromium. view_report.py PICTURES NAME=PAGE ..

Each page at 1280 and 390 pixels, light and dark: nothing but what scrolls in itself is wider than the screen, every text that is
seen has the contrast and the size to be read, the search finds and hides, a link to a function opens it. Pictures are left in
PICTURES."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'doc'))
import browser  # noqa: E402

WIDE = '''(() => { const wide = [];
  for (const e of document.querySelectorAll('body *')) {
    const r = e.getBoundingClientRect();
    if ((r.right > innerWidth + 1 || r.left < -1) && !e.parentElement.closest('.scroll')) wide.push(e.tagName + '.' + e.className + ' ' + Math.round(r.right));
  }
  return [document.documentElement.scrollWidth - innerWidth, wide.slice(0, 3).join('; ')];
})()'''
# Each element that has text of its own, on the nearest ground that is painted; in a drawing that of its node.
CONTRAST = '''(() => { const channel = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4); };
  const parts = s => (s.match(/[\\d.]+/g) || []).map(Number);
  const light = s => { const [r, g, b] = parts(s); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const clear = s => s === 'none' || s === 'transparent' || parts(s)[3] === 0;
  const ground = e => {
    const node = e.closest('.node'), shape = node && node.querySelector('polygon, ellipse');
    if (shape) return getComputedStyle(shape).fill;
    for (; e; e = e.parentElement) if (!clear(getComputedStyle(e).backgroundColor)) return getComputedStyle(e).backgroundColor;
    return 'rgb(255, 255, 255)'; };
  let least = [99, ''], size = [99, ''];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own || e.closest('title, script, style') || !e.getClientRects().length) continue;
    const s = getComputedStyle(e), svg = !!e.ownerSVGElement;
    const a = light(svg ? s.fill : s.color), b = light(ground(e));
    const c = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), px = parseFloat(s.fontSize);
    const what = e.tagName + '.' + (e.className.baseVal ?? e.className) + ' ' + e.textContent.slice(0, 30);
    if (c < least[0]) least = [c, what];
    if (px < size[0]) size = [px, what];
  }
  return [least, size, light(getComputedStyle(document.body).backgroundColor)];
})()'''
SEARCH = '''(() => { const q = document.getElementById('q'); q.value = %r; q.dispatchEvent(new Event('input'));
  return [[...document.querySelectorAll('tr.s, details.s')].filter(e => e.getClientRects().length).length,
          document.querySelectorAll('tr.s, details.s').length, document.querySelectorAll('.drawing .hit').length,
          document.getElementById('hits').textContent]; })()'''


def look(b, name, page, pictures, wrong):
    papers = {}
    for width, height, dark in ((1280, 900, False), (1280, 900, True), (390, 844, False), (390, 844, True)):
        at = '%s at %d%s' % (name, width, ', dark' if dark else '')
        b.view(width, height, dark)
        b.open(page)
        b.value("document.querySelectorAll('details').forEach((e, i) => { e.open = i < 3; })")
        over, wide = b.value(WIDE)
        if over > 0 or wide:
            wrong.append('%s: %d pixels too wide, %s' % (at, over, wide))
        contrast, size, papers[dark] = b.value(CONTRAST)
        if contrast[0] < 4.5:
            wrong.append('%s: contrast %.1f of %s' % (at, contrast[0], contrast[1]))
        if size[0] < 10.5:
            wrong.append('%s: text of %.1f pixels: %s' % (at, size[0], size[1]))
        if len(b.picture(os.path.join(pictures, 'report-%s-%d%s.png' % (name, width, '-dark' if dark else '')))) < 30000:
            wrong.append('%s: the picture is empty' % at)
    if not papers[True] < 0.05 < 0.8 < papers[False]:
        wrong.append('%s: light and dark papers are %s' % (name, papers))


def use(b, name, page, wrong):
    b.view(1280, 900)
    b.open(page)
    if b.value("document.querySelectorAll('.drawing svg').length") != 2 or b.value("document.querySelectorAll('.drawing .node').length") < 40:
        wrong.append(name + ': the graphs are not drawn')
    seen, every, drawn, said = b.value(SEARCH % 'Softmax')
    if not 0 < seen < every or not 0 < drawn or said != '%d found' % seen:
        wrong.append('%s: searching for Softmax leaves %d of %d rows, %d in the drawings, and says %s' % (name, seen, every, drawn, said))
    if b.value(SEARCH % 'zzzz')[:3:2] != [0, 0]:
        wrong.append(name + ': searching for zzzz finds something')
    b.value("location.hash = '#' + document.querySelectorAll('details')[1].id")
    if not b.value('''new Promise(done => setTimeout(() => { const e = document.querySelectorAll('details')[1], r = e.getBoundingClientRect();
        done(e.open && r.height > 100 && r.top >= 0 && r.top < innerHeight); }, 200))'''):
        wrong.append(name + ': a link to the second function does not open it')
    targets = b.value("[...document.querySelectorAll('a')].map(a => a.getAttribute('href') || a.getAttribute('xlink:href'))"
                      ".filter(h => !h.startsWith('#') || !document.getElementById(h.slice(1)))")
    if targets:
        wrong.append('%s: links that lead nowhere: %s' % (name, targets[:3]))
    loaded = b.value("performance.getEntriesByType('resource').length")
    if loaded:
        wrong.append('%s: the page loads %d other things' % (name, loaded))


def main():
    pictures, pages = sys.argv[1], [a.split('=', 1) for a in sys.argv[2:]]
    b, wrong = browser.Browser(browser.find()), []
    for name, page in pages:
        look(b, name, page, pictures, wrong)
        use(b, name, page, wrong)
    b.close()
    print('\n'.join(wrong + ['%d pages at 1280 and 390 pixels, light and dark' % len(pages)]))
    return 1 if wrong or not pages else 0


if __name__ == '__main__':
    sys.exit(main())
