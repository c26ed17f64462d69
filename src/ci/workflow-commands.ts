import type { CiEnv } from './detect.ts'

/**
 * Takes from output what the runner of a pipeline would obey: `::set-env …` at the start of a line, and `##[…]`,
 * `##vso[…]` and `##teamcity[…]` anywhere. The runners trim lines as .NET does, U+0085 included. A sign is written as JSON escapes it, so that JSON stays the same document.
 */
export function withoutCommands(text: string): string {
  return text
    .replace(/^((?:\u0085|[^\S\n\r\u2028\u2029])*):(?=:)/gm, '$1\\u003a')
    .replace(/#(?=#(?:vso|teamcity)?\[)/gi, '\\u0023')
}

export function obeysOutput(env: CiEnv): boolean {
  return env.GITHUB_ACTIONS === 'true' || env.TF_BUILD?.toLowerCase() === 'true' || !!env.TEAMCITY_VERSION
}
