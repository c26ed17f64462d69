import type { Io } from './io.ts'

/** The contract's body, unchanged: indented for eyes, on one line for programs. */
export function printJson(io: Io, body: unknown): void {
  io.out(`${JSON.stringify(body, null, io.isTerminal ? 2 : 0)}\n`)
}
