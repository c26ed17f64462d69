const special = /[",\r\n]|^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t]/
const formula = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/
const number = /^-?\d+(\.\d+)?$/

/** Rows of cells as CSV. Each line ends in `\n`. */
export function writeCsv(rows: readonly (readonly string[])[]) {
  return rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('')
}

/** Spreadsheets evaluate cells that start like a formula; a leading apostrophe makes them text. Numbers are unchanged. */
function csvCell(text: string) {
  if (!special.test(text)) return text
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
