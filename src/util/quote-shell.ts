/** In single quotes, a POSIX shell interprets nothing except the quote itself. */
export function quoteShell(text: string) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
