import { stringify } from 'yaml'
import { accessFor, type JobSources } from '../../src/agent/sources/index.ts'
import {
  configName,
  configSecret,
  type KubernetesOptions,
  kubernetesFiles,
  type Manifest,
  metricsRule,
} from '../../src/agent/units/kubernetes.ts'
import { rulesFor } from '../../src/agent/units/rbac.ts'
import { unitName } from '../../src/agent/units/unit.ts'
import { reportSources } from '../../src/scan/report-source.ts'
import { everyOption, withOptions } from './options.ts'

/** Values that the chart fills in. Those in brackets are no strings in the rendered file. */
const values = {
  image: '{{ include "relt.image" (list .Values.agent.image .Chart.AppVersion) }}',
  namespace: '{{ .Release.Namespace }}',
  name: '{{ include "relt.agentName" . }}',
  role: '{{ include "relt.clusterRoleName" . }}',
  secret: '{{ default (include "relt.agentName" .) .Values.agent.secretName }}',
  timeZone: '{{ .Values.agent.timeZone }}',
  size: '{{ .Values.agent.persistence.size }}',
}
const style = { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 } as const
const rules = '{{- include "relt.agentRules" . | nindent 2 }}'

/** Templates of the chart for the agent, from the objects of `relt agent manifests kubernetes`. */
export function agentTemplate(): string {
  const objects = (form: KubernetesOptions['form']) => {
    const options = { form, jobs: [{ profile: 'any', time_zone: values.timeZone }], config: '', ...everyOption(form) }
    const all = { ...options, image: values.image, namespace: values.namespace }
    return [configSecret(all), ...kubernetesFiles(all).flatMap(({ objects }) => objects)]
  }
  const [deployment, cronJob] = [objects('deployment'), objects('cronjob')]
  const documents = deployment
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => (object.kind === 'Deployment' ? workload(object, cronJob.at(-1)!) : conditional(object)))
  return [
    '{{- /* Written by `npm run docs` from `relt agent manifests kubernetes`. */}}\n',
    ruleTemplate(),
    '{{- include "relt.checkPodMonitor" . }}\n',
    '{{- if .Values.agent.enabled }}\n',
    documents.join(''),
    '{{- end }}\n',
  ].join('')
}

const workload = (deployment: Manifest, cronJob: Manifest): string =>
  `{{- if eq .Values.agent.form "cronjob" }}\n${document(cronJob)}{{- else }}\n${document(deployment)}{{- end }}\n`

const conditions: Record<string, string> = {
  NetworkPolicy: '.Values.agent.networkPolicy.enabled',
  PodMonitor: '.Values.agent.podMonitor.enabled',
  ClusterRole: 'include "relt.agentRules" .',
  ClusterRoleBinding: 'include "relt.agentRules" .',
}

function conditional(object: Manifest): string {
  const condition = conditions[object.kind]
  return condition === undefined ? document(object) : `{{- if ${condition} }}\n${document(object)}{{- end }}\n`
}

function document(object: Manifest): string {
  const text = stringify(filled(object), { ...style, singleQuote: true })
  return `---\n${withOptions(text)
    .replace(`\nrules: ''\n`, `\nrules:\n  ${rules}\n`)
    .replace(
      /^( +)image: .*\n/m,
      (line, indent) => `${line}${indent}imagePullPolicy: {{ .Values.agent.image.pullPolicy }}\n`,
    )
    .replace("agent.yaml: ''", 'agent.yaml: |\n    {{- toYaml .Values.agent.config | nindent 4 }}')
    .replace(/^( +)(resources:\n +requests:\n +storage:)/m, `${storageClass}$1$2`)
    .replaceAll(
      /^( +)containers:\n/gm,
      (line, indent: string) =>
        `${pullSecrets.replaceAll('\n', `\n${indent}`).replace('INDENT', String(indent.length + 2))}\n${line}`,
    )}`
}

const storageClass =
  '  {{- with .Values.agent.persistence.storageClassName }}\n  storageClassName: {{ . | quote }}\n  {{- end }}\n'
const pullSecrets =
  `      {{- with .Values.imagePullSecrets }}\nimagePullSecrets:\n  {{- toYaml . | nindent INDENT }}\n{{- end }}`.trimStart()

/** The object with the release's names and labels in place of fixed ones. */
function filled(object: Manifest): unknown {
  const isOfCluster = object.kind.startsWith('ClusterRole')
  const fill = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((each) => fill(each))
    if (value === null || typeof value !== 'object') return leaf(value, key)
    const filledObject = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, name)]))
    if ('app.kubernetes.io/name' in value) return { ...value, 'app.kubernetes.io/instance': '{{ .Release.Name }}' }
    if (key === 'secretRef') return { ...filledObject, name: values.secret }
    if (isOfCluster && (key === 'metadata' || key === 'roleRef')) return { ...filledObject, name: values.role }
    return filledObject
  }
  const leaf = (value: unknown, key: string): unknown => {
    if (value === unitName) return values.name
    if (value === configName) return `${values.name}-config`
    if (key === 'storage') return values.size
    return value
  }
  return fill(object.kind === 'ClusterRole' ? { ...object, rules: '' } : object)
}

const ruleBlock = (name: string, rules: object[]): string =>
  `{{- if has "${name}" $sources }}\n${stringify(rules, style)}{{- end }}\n`

/** Rules for each kind of job, as the command writes them. */
function ruleTemplate(): string {
  const jobs: [name: string, job: JobSources][] = [
    ['profile', { profile: 'any' }],
    ...reportSources.map((collect): [string, JobSources] => [collect, { collect }]),
  ]
  const blocks = jobs.map(([name, job]) => {
    return ruleBlock(name, rulesFor(accessFor([job])))
  })
  return [
    '{{- define "relt.agentRules" -}}\n{{- $sources := include "relt.agentSources" . | fromJsonArray }}\n',
    ...blocks,
    ruleBlock('deprecated_apis', [metricsRule]),
    '{{- with .Values.agent.extraRules }}\n{{ toYaml . }}\n{{- end }}\n{{- end }}\n',
  ].join('')
}
