import { findingSeverities } from '../contract/choices.ts'

/**
 * The only script of a page: sorts and filters rows, copies commands and shows local times. The page is readable without it,
 * so it creates the controls. Writes text only, never HTML.
 */
export const script = `'use strict';
(() => {
const all = (what, from = document) => [...from.querySelectorAll(what)];
const make = (tag, text, attributes = {}) => {
  const node = document.createElement(tag);
  node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};
for (const time of all('time')) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.title = at.toLocaleString() + ' local time';
}
const said = make('p', '', { role: 'status', class: 'hidden' });
document.body.append(said);
for (const code of all('code.command')) {
  const button = make('button', 'Copy', { type: 'button', class: 'copy', 'aria-label': 'Copy ' + code.textContent });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      said.textContent = 'Copied';
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    } catch {
      getSelection().selectAllChildren(code);
      said.textContent = 'Selected. Copy it with your keyboard.';
    }
  });
  code.after(' ', button);
}
const numbers = new Intl.Collator(undefined, { numeric: true });
const ranks = ${JSON.stringify(findingSeverities)};
const toKey = (row, column) => {
  const cell = row.cells[column];
  const rank = ranks.findIndex((severity) => cell.firstElementChild?.classList.contains(severity));
  return rank < 0 ? cell.textContent.trim() : String(rank);
};
for (const table of all('main table')) {
  const body = table.tBodies[0];
  if (body.rows.length < 2 || 'part' in table.dataset) continue;
  table.classList.add('sortable');
  all('thead th', table).forEach((head, column) => {
    const button = make('button', head.textContent, { type: 'button', class: 'sort' });
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of all('thead th', table)) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const rows = [...body.rows].map((row) => [toKey(row, column), row]);
      rows.sort(([a], [b]) => (up ? 1 : -1) * numbers.compare(a, b));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
const findings = document.getElementById('findings');
const groups = findings ? all('details', findings) : [];
if (groups.length > 0) {
  const tools = make('div', '', { class: 'tools', role: 'search' });
  const field = make('input', '', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  const label = make('label', 'Filter findings ');
  label.append(field);
  const choice = make('select', '');
  choice.append(...['every severity', ...ranks].map((word) => make('option', word)));
  const severity = make('label', 'Severity ');
  severity.append(choice);
  const fold = make('button', '', { type: 'button' });
  let isFolded;
  const toFold = (folded) => {
    isFolded = folded;
    fold.textContent = folded ? 'Expand all' : 'Collapse all';
  };
  toFold(groups.every(({ open }) => !open));
  fold.addEventListener('click', () => {
    toFold(!isFolded);
    for (const group of groups) group.open = !isFolded;
  });
  const shown = make('p', '', { role: 'status' });
  tools.append(label, severity, fold, shown);
  groups[0].before(tools);
  const index = groups.map((group) => ({
    group,
    head: group.querySelector('summary').textContent.toLowerCase(),
    severity: group.dataset.severity,
    rows: all('tbody tr', group).map((row) => ({ row, text: row.textContent.toLowerCase() })),
  }));
  const total = index.reduce((sum, { rows }) => sum + rows.length, 0);
  const filter = () => {
    const wanted = field.value.trim().toLowerCase();
    const only = choice.selectedIndex > 0 ? choice.value : '';
    let count = 0;
    for (const { group, head, severity, rows } of index) {
      const isChosen = !only || severity === only;
      const isNamed = head.includes(wanted);
      let left = 0;
      for (const { row, text } of rows) {
        const isShown = isChosen && (isNamed || text.includes(wanted));
        if (row.hidden === isShown) row.hidden = !isShown;
        if (isShown) left++;
      }
      group.hidden = left === 0 && !(isChosen && isNamed);
      group.open = wanted || only ? left > 0 : !isFolded;
      count += left;
    }
    shown.textContent = wanted || only ? count + ' of ' + total + ' listed findings' : '';
  };
  field.addEventListener('input', filter);
  choice.addEventListener('change', filter);
}
})();`
