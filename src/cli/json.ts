import type { Io } from './io.ts'

/** What a terminal would act on, beyond what JSON escapes by itself. */
const steering = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The contract's body, unchanged: indented for eyes, on one line for programs. */
export function printJson(io: Io, body: unknown): void {
  if (!io.isTerminal) return void io.out(`${JSON.stringify(body)}\n`)
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  io.out(`${JSON.stringify(body, null, 2).replace(steering, escaped)}\n`)
}
