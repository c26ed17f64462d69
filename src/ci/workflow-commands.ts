import type { CiEnv } from './detect.ts'

/**
 * Escapes text that the runner of a pipeline would execute: `::set-env …` at the start of a line, and `##[…]`, `##vso[…]`
 * and `##teamcity[…]` anywhere. Runners trim lines like .NET, including U+0085. Escapes are valid in JSON, so a JSON
 * document is unchanged.
 */
export function withoutCommands(text: string) {
  return text
    .replace(/^((?:\u0085|[^\S\n\r\u2028\u2029])*):(?=:)/gm, '$1\\u003a')
    .replace(/#(?=#(?:vso|teamcity)?\[)/gi, '\\u0023')
}

export function obeysOutput(env: CiEnv) {
  return env.GITHUB_ACTIONS === 'true' || env.TF_BUILD?.toLowerCase() === 'true' || !!env.TEAMCITY_VERSION
}
