import type { Io } from './io.ts'

/** Characters that terminals interpret, beyond those that JSON escapes. */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The contract's body, unchanged: indented for eyes, on one line for programs. */
export function renderJson(io: Io, body: unknown): string {
  return `${io.isTerminal ? escapeSteering(JSON.stringify(body, null, 2)) : JSON.stringify(body)}\n`
}

/** Inside double quotes of JSON, and of YAML, the meaning stays the same. */
export function escapeSteering(text: string): string {
  return text.replace(steering, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
