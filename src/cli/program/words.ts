/** Global options whose value is the next word. */
const valuedOptions = ['--server', '--team', '-o', '--output', '--jq', '--columns', '--sort-by']

/** argv without options and the values of global options. */
export function formatWords(argv: string[]) {
  return argv.filter((_, i) => isWord(argv, i))
}

/** Index of the command in argv; -1 without one. */
export function placeOfCall(argv: string[]) {
  return argv.findIndex((_, i) => isWord(argv, i))
}

function isWord(argv: string[], i: number) {
  return !argv[i]!.startsWith('-') && !(i > 0 && valuedOptions.includes(argv[i - 1]!))
}
