import { unseen } from '../../util/unseen.ts'
import type { Io } from './io.ts'

/** The contract's body unchanged: indented for a terminal, on one line for programs. */
export function renderJson(io: Io, body: unknown) {
  return `${io.isTerminal ? escapeSteering(JSON.stringify(body, null, 2)) : JSON.stringify(body)}\n`
}

/** Escapes control characters; JSON and YAML double-quoted strings keep their meaning. */
export function escapeSteering(text: string) {
  return text.replace(unseen, (run) => run.replace(/[^\n]/g, escapeUnit))
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
