/** A word for a POSIX shell: in single quotes, where nothing is special but the quote itself. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
