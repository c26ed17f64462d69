/** Every code a command ends with; help and docs are made from it, and `errors.ts` says which failure has which. */
export const exitCodes: Record<number, string> = {
  0: 'done',
  1: 'failed',
  2: 'wrong use or bad input',
  3: 'not found',
  4: 'not signed in or not allowed',
  5: 'gate failed',
  6: 'gate cannot be decided',
  7: 'unreachable, busy or rate-limited (try again)',
  130: 'cancelled',
}
