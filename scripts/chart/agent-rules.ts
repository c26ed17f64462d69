import { stringify } from 'yaml'
import { type JobSources, sourceFor } from '../../src/agent/sources/index.ts'
import { reportSources } from '../../src/scan/report-source.ts'

/** A named template of the chart: the rules that the jobs in its values need, from the program's own tables. */
export function agentRules(): string {
  const jobs: [name: string, job: JobSources][] = [
    ['profile', { profile: 'any' }],
    ...reportSources.map((collect): [string, JobSources] => [collect, { collect }]),
  ]
  return [
    '{{- /* Written by `npm run docs` from `src/agent/units/rbac.ts`. */}}\n',
    '{{- define "relt.agentRules" -}}\n{{- $sources := include "relt.agentSources" . | fromJsonArray }}\n',
    ...jobs.map(([name, job]) => ruleBlock(name, rulesFor(job))),
    // Not a resource, but a path of the API server with metrics on deprecated APIs.
    ruleBlock('deprecated_apis', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]),
    '{{- with .Values.agent.extraRules }}\n{{ toYaml . }}\n{{- end }}\n{{- end }}\n',
  ].join('')
}

function rulesFor(job: JobSources): object[] {
  const { source, from } = sourceFor(job)
  return source.access(from)
}

const ruleBlock = (name: string, rules: object[]): string =>
  `{{- if has "${name}" $sources }}\n${stringify(rules, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 })}{{- end }}\n`
