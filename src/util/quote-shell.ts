/** In single quotes nothing is special to a POSIX shell but the quote itself. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
