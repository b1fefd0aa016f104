/* Search in the names of the index: all words must occur; names that begin with the words come first. */
(function () {
  'use strict';
  var input = document.getElementById('q'), box = document.getElementById('found');
  var top = document.body.getAttribute('data-top'), at = -1, index = window.CALQUE_INDEX || [];
  var order = { section: 0, rule: 0, operator: 1, theorem: 2, erratum: 3 };

  function find(text) {
    var words = text.toLowerCase().split(/\s+/).filter(Boolean), hits = [];
    if (!words.length) return hits;
    index.forEach(function (e) {
      var name = e[0].toLowerCase(), all = name + ' ' + e[1] + ' ' + e[3].toLowerCase(), score = order[e[1]] === undefined ? 4 : order[e[1]];
      for (var i = 0; i < words.length; i++) {
        var k = name.indexOf(words[i]);
        if (all.indexOf(words[i]) < 0) return;
        score += name === words[i] ? -20 : k === 0 ? -10 : k > 0 ? -5 : 5;
      }
      hits.push([score, name.length, e]);
    });
    hits.sort(function (a, b) { return a[0] - b[0] || a[1] - b[1] || (a[2][0] < b[2][0] ? -1 : 1); });
    return hits.slice(0, 30).map(function (h) { return h[2]; });
  }

  function show() {
    var hits = find(input.value);
    at = -1;
    box.textContent = '';
    hits.forEach(function (e) {
      var a = document.createElement('a'), name = document.createElement('b'), kind = document.createElement('span');
      a.href = top + e[2];
      a.setAttribute('role', 'option');
      name.textContent = e[0];
      kind.textContent = e[1] + (e[3] ? ' · ' + e[3] : '');
      a.appendChild(name);
      a.appendChild(kind);
      box.appendChild(a);
    });
    if (!hits.length && input.value.trim()) {
      var none = document.createElement('p');
      none.textContent = 'Nothing has that name.';
      box.appendChild(none);
    }
    box.hidden = !input.value.trim();
  }

  function move(by) {
    var all = box.querySelectorAll('a');
    if (!all.length) return;
    if (at >= 0) all[at].classList.remove('at');
    at = (at + by + all.length) % all.length;
    all[at].classList.add('at');
    all[at].scrollIntoView({ block: 'nearest' });
  }

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('keydown', function (e) {
    var all = box.querySelectorAll('a');
    if (e.key === 'ArrowDown') { move(1); e.preventDefault(); }
    else if (e.key === 'ArrowUp') { move(-1); e.preventDefault(); }
    else if (e.key === 'Enter' && all.length) { location.href = all[at < 0 ? 0 : at].href; }
    else if (e.key === 'Escape') { box.hidden = true; input.blur(); }
  });
  document.addEventListener('keydown', function (e) {
    if (e.key === '/' && document.activeElement !== input && !e.ctrlKey && !e.metaKey) { input.focus(); e.preventDefault(); }
  });
  document.addEventListener('click', function (e) { if (!box.contains(e.target) && e.target !== input) box.hidden = true; });
  var asked = /[?&]q=([^&#]*)/.exec(location.search);
  if (asked) { input.value = decodeURIComponent(asked[1]); show(); }
})();
