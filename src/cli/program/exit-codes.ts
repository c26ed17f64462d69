/** All exit codes; help and docs are generated from it, and `errors.ts` maps failures to codes. */
export const exitCodes: Record<number, string> = {
  0: 'done',
  1: 'failed',
  2: 'usage error or invalid input',
  3: 'not found',
  4: 'not signed in or not allowed',
  5: 'gate failed',
  6: 'gate undecided',
  7: 'unreachable, busy or rate-limited; retry',
  130: 'cancelled',
}
