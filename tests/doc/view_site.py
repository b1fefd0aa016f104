"""The reference in a headless Chromium. view_site.py SITE PICTURES

Pages at 1280 and 390 pixels, light and dark: nothing is wider than the screen, text has the size and the contrast to be read, what
a rule draws is visible, the contents open at 390 pixels, search finds a rule from its label. Pictures are left in PICTURES."""
import os
import sys

import browser

PAGES = ['index', 'attributes', 'graphs', 'patterns', 'rewriting', 'kernels', 'inlining', 'gradients', 'dpia', 'statements', 'rules', 'operators', 'errata',
         'theorems', 'notation', 'profile', 'cite', 'rule/PM-Call', 'rule/AE-Var', 'rule/cge.8', 'rule/KG-Seq', 'rule/I2', 'theorems/Pattern', 'theorems/Model',
         'src/coq/attr/Attr.v']
PICTURES = {'index', 'attributes', 'patterns', 'dpia', 'rules', 'operators', 'errata', 'rule/PM-Call', 'rule/KG-Seq', 'theorems/Pattern'}

# Elements that stick out of the page, but for what scrolls in itself.
WIDE = '''(() => { const wide = [];
  for (const e of document.querySelectorAll('main *')) {
    const r = e.getBoundingClientRect();
    if (r.right > innerWidth + 1 && !e.closest('pre, .math, .skip') ) wide.push(e.tagName + '.' + e.className + ' ' + Math.round(r.right));
  }
  return [document.documentElement.scrollWidth - innerWidth, wide.slice(0, 3).join('; ')];
})()'''
CONTRAST = '''(() => { const channel = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4); };
  const light = s => { const [r, g, b] = s.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const ratio = s => { const l = light(s); return (Math.max(l, paper) + 0.05) / (Math.min(l, paper) + 0.05); };
  const of = q => [...document.querySelectorAll(q)].map(e => ratio(getComputedStyle(e).color));
  return [Math.min(21, ...of('main p:not(.where, .kicker, .printed, .shape), main td:not(.none, :has(.none)), .math')), Math.min(21, ...of('main a, .where, .kicker, footer')), paper];
})()'''
SMALL = '''Math.min(99, ...[...document.querySelectorAll('main p, main td, main .math, main pre')].map(e => parseFloat(getComputedStyle(e).fontSize)))'''
# A rule without extent, or a line between premises and conclusion that is not drawn.
EMPTY = '''[...document.querySelectorAll('.infer, .eq')].filter(e => { const r = e.getBoundingClientRect(); return r.width < 20 || r.height < 12; }).length +
  [...document.querySelectorAll('.infer:not(.axiom) > .conclusion')].filter(e => parseFloat(getComputedStyle(e).borderTopWidth) < 1).length'''


def main():
    site, pictures = sys.argv[1:]
    b, wrong, views, papers = browser.Browser(browser.find()), [], 0, {}
    for width, height, dark in ((1280, 900, False), (390, 844, False), (390, 844, True)):
        b.view(width, height, dark)
        for page in PAGES:
            if dark and page not in PICTURES:
                continue
            at = '%s at %d%s' % (page, width, ', dark' if dark else '')
            b.open(os.path.join(site, page + '.html'))
            views += 1
            over, wide = b.value(WIDE)
            if over > 0 or wide:
                wrong.append('%s: %d pixels too wide, %s' % (at, over, wide))
            if b.value(EMPTY):
                wrong.append('%s: a rule that is not drawn' % at)
            if b.value(SMALL) < 11:
                wrong.append('%s: text of %s pixels' % (at, b.value(SMALL)))
            text, more, papers[dark] = b.value(CONTRAST)
            if text < 7 or more < 4.5:
                wrong.append('%s: contrast %.1f, %.1f' % (at, text, more))
            if page in PICTURES:
                name = os.path.join(pictures, '%s-%d%s.png' % (page.replace('/', '-'), width, '-dark' if dark else ''))
                b.view(width, 2000, dark)
                if len(b.picture(name, False)) < 20000:
                    wrong.append('%s: the picture is empty' % at)
                b.view(width, height, dark)
    if not papers[True] < 0.05 < 0.8 < papers[False]:
        wrong.append('light and dark papers are %s' % papers)

    b.view(390, 844)
    b.open(os.path.join(site, 'rule/PM-Call.html'))
    seen = "getComputedStyle(document.querySelector('nav')).display"
    if b.value(seen) != 'none':
        wrong.append('the contents are open at 390 before they are asked for')
    b.value("document.querySelector('header label').click()")
    if b.value(seen) == 'none' or b.value("document.querySelector('nav a').getBoundingClientRect().width") < 50:
        wrong.append('the contents do not open at 390')
    if b.value('document.documentElement.scrollWidth > innerWidth'):
        wrong.append('the open contents are wider than the screen')
    b.view(1280, 900)
    b.open(os.path.join(site, 'rule/PM-Call.html'))
    if b.value(seen) == 'none':
        wrong.append('there are no contents at 1280')
    for asked, leads in (('ae-proj', 'rule/AE-Proj.html'), ('conv', 'operators.html#Conv'), ('match_sound', 'theorems/Pattern.html#match_sound'),
                         ('4B.9', 'errata.html#4B.9'), ('gradients', 'gradients.html')):
        b.value("(() => { const q = document.getElementById('q'); q.value = '%s'; q.dispatchEvent(new Event('input')); })()" % asked)
        found = b.value("(document.querySelector('#found a') || {}).href || ''")
        if not found.endswith('/' + leads):
            wrong.append('searching for %s finds %s first' % (asked, found))
    b.value("(() => { const q = document.getElementById('q'); q.value = 'zzzz'; q.dispatchEvent(new Event('input')); })()")
    if b.value("document.querySelectorAll('#found a').length"):
        wrong.append('searching for zzzz finds something')
    b.open(os.path.join(site, 'rules.html#PM-Call'))
    if not b.value("(() => { const t = document.querySelector(':target').getBoundingClientRect(); return t.top >= 0 && t.top < innerHeight; })()"):
        wrong.append('rules.html#PM-Call does not lead to the rule')
    b.close()
    print('\n'.join(wrong + ['%d views of %d pages, %d with pictures' % (views, len(PAGES), len(PICTURES))]))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
