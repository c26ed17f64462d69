import type { CiEnv } from './detect.ts'

/**
 * Takes from output what the runner of a pipeline would obey: `::set-env …` at the start of a line, and `##[…]` and
 * `##vso[…]` anywhere. A sign is written as JSON escapes it, so that JSON stays the same document.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\u003a').replace(/#(?=#(?:vso)?\[)/gi, '\\u0023')
}

export function obeysOutput(env: CiEnv): boolean {
  return env.GITHUB_ACTIONS === 'true' || env.TF_BUILD?.toLowerCase() === 'true'
}
