import type { KubernetesOptions } from '../../src/agent/units/kubernetes.ts'

/** Numbers and an address that stand for a value, since they are no strings in the rendered file. */
const [serverPort, metricsPort, resolver] = [65_001, 65_002, '192.0.2.53']
const caBundle = '{{ .Values.agent.caBundle }}'
const resolverValue = '{{ .Values.agent.nodeLocalDns }}/{{ ternary 128 32 (contains ":" .Values.agent.nodeLocalDns) }}'

/** The command's options, all of them set. */
export const everyOption = (form: KubernetesOptions['form']) => ({
  ...{ serverPort, caBundle, nodeLocalDns: resolver },
  // Pods of a CronJob end before they are scraped.
  ...(form === 'deployment' && { metricsPort }),
})

/** A part of the text that an option makes, below its indent. */
const parts: [condition: string, lines: RegExp][] = [
  ['.Values.agent.caBundle', /^( +)- name: RELT_CA_FILE\n\1 {2}value: .*\n/m],
  ['.Values.agent.caBundle', /^( +)- name: ca\n\1 {2}mountPath: .*\n\1 {2}readOnly: true\n/m],
  ['.Values.agent.caBundle', /^( +)- name: ca\n\1 {2}configMap:\n(?:\1 {4}.*\n)+/m],
  [
    '.Values.agent.podMonitor.enabled',
    new RegExp(`^( +)ports:\\n\\1 {2}- name: metrics\\n\\1 {4}containerPort: ${metricsPort}\\n`, 'm'),
  ],
  ['not .Values.agent.openshift', /^( +)runAsUser: .*\n(?:\1(?:runAsGroup|fsGroup|fsGroupChangePolicy): .*\n)+/m],
  [
    '.Values.agent.nodeLocalDns',
    new RegExp(
      `^( +)- to:\\n\\1 {4}- ipBlock:\\n\\1 {8}cidr: ${resolver}/32\\n\\1 {2}ports:\\n(?:\\1 {4,6}\\S.*\\n)+`,
      'm',
    ),
  ],
]

const dnsPort = '{{ ternary 5353 53 .Values.agent.openshift }}'

const otherPorts = `{{- range concat (list .Values.agent.serverPort) .Values.agent.ports | uniq }}
{{- if not (has (int .) (list 443 6443)) }}
$1{{ int . }}
{{- end }}
{{- end }}
`

/** Puts conditions around the parts that options make, and values in place of their numbers. */
export function withOptions(text: string): string {
  const conditional = parts.reduce(
    (all, [condition, lines]) => all.replace(lines, (part) => `{{- if ${condition} }}\n${part}{{- end }}\n`),
    text,
  )
  return (
    conditional
      .replace(new RegExp(`( +- protocol: TCP\\n +port: )${serverPort}\\n`), otherPorts)
      .replace(
        /^( +)ingress:\n((?:\1 +.*\n)+)/m,
        (part, indent) =>
          `{{- if .Values.agent.podMonitor.enabled }}\n${part}{{- else }}\n${indent}ingress: []\n{{- end }}\n`,
      )
      .replaceAll(String(metricsPort), '{{ .Values.agent.config.health_port }}')
      .replace(`${resolver}/32`, resolverValue)
      .replace(
        'metadata.name: kube-system',
        'metadata.name: {{ ternary "openshift-dns" "kube-system" .Values.agent.openshift }}',
      )
      // The first block is that of the cluster's own resolvers.
      .replace(/(protocol: UDP\n +port: )53(\n +- protocol: TCP\n +port: )53\n/, `$1${dnsPort}$2${dnsPort}\n`)
  )
}
