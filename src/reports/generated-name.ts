// Kubernetes draws generated suffixes from an alphabet without vowels and look-alikes. Other tools use hex or base 36:
// those count as generated when letters and digits alternate as no word does.
const safe = '[bcdfghjklmnpqrstvwxz2456789]'
const mixed = '(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]'
export const templateHash = `(?:${safe}{6,10}|${mixed}{7,10}|\\d{8,10})`
const podSuffix = `(?:${safe}{5}|(?=[a-z0-9]{5}\\b)(?:[a-z]+\\d+[a-z]+\\d*|\\d+[a-z]+\\d+[a-z]*)[a-z0-9]*)`
/** Letters in an order that no word has. */
const unspeakable = '(?!postgres)(?=[a-z]*(?:[^aeiouy\\d-]{4}|q[^u]|[jvxz][^aeiouyz\\d-]|[bcdfghjklmpqrstvwz]x))[a-z]'
const five = '[a-z0-9]{5}'

/** Words that stand where a generated part of five letters would. */
const words = new Set(
  [
    'admin agent alert apply audit batch build cache chart check clean cloud craft daily delta draft drain event fetch',
    'first flink front group hello house https image index infra input istio items kafka label large light limit local',
    'login merge micro minio model month multi mysql nginx night notes offer order other outer patch phase plain point',
    'price proxy queue quota range react redis relay reset retry route rules scale scene setup shard share small smoke',
    'solve spark split stage start state steps store study super table tasks teams tests third token tools topic total',
    'track trade train trino usage users value vault video watch world write',
  ].flatMap((line) => line.split(' ')),
)

/** A part of five letters or digits, in a name whose end shows that a tool generated it. */
const isGenerated = (part: string): boolean => /^[a-z0-9]{5}$/.test(part) && /[a-z]/.test(part) && !words.has(part)

/** `train-x7k2p-step` → `train-step`: without the generated part that is nearest to the end. */
function withoutGeneratedPart(name: string): string {
  const parts = name.split('-')
  const at = parts.findLastIndex((part, i) => i > 0 && isGenerated(part))
  return at < 0 ? name : parts.toSpliced(at, 1).join('-')
}

/** The end of a name, and what lasts of the name before it. */
type Rule = [end: RegExp, stable: (head: string, end: RegExpExecArray) => string]
const rule = (end: string, stable: Rule[1] = (head) => head): Rule => [new RegExp(`(?<=.)-${end}$`), stable]

const withoutRevision = (name: string): string => apply(revision, name) ?? name

/** Knative runs each revision as a Deployment. */
const revision = [rule('\\d{5}-deployment')]
const runner = rule(`(${five})-runner-${five}`, (head, [, part]) =>
  words.has(part!) ? `${head}-${part}-runner` : `${head}-runner`,
)

/** Names of pods, by the tools that make them. */
const pods: Rule[] = [
  rule(`${templateHash}-${five}`, withoutRevision), // Deployments and CronJobs
  runner, // Actions Runner Controller
  rule(`runner-${five}`, (head) => `${head}-runner`),
  rule(`${podSuffix}-${podSuffix}`), // Jobs of a generated name
  rule(podSuffix), // DaemonSets and Jobs
  rule('[0-9a-f]{16}-(driver|exec)(?:-\\d+)?', (head, [, role]) => `${head}-${role}`), // Spark
  rule('pod', withoutGeneratedPart), // Tekton
  // A step of Argo Workflows ends with a hash in decimals. Its workflow has a generated name, or the time of its schedule.
  rule('\\d{10}-(.+)-\\d{7,10}', (head, [, step]) => `${head}-${step}`),
  rule('\\d{7,10}', withoutGeneratedPart),
  rule(`(?:${mixed}{8}|${unspeakable}{8})`), // Airflow
  rule('\\d{1,3}'), // ordinals of StatefulSets and of operators
]

const rulesOf: Record<string, Rule[]> = {
  pod: pods,
  job: [rule(templateHash), rule(podSuffix)],
  replicaset: [rule(templateHash, withoutRevision)],
  deployment: revision,
}

/** What lasts of a name when its object is replaced: `web` of the pod `web-65cc8855c-ghk9m`. `kind` is singular. */
export function templateName(kind: string, name: string): string {
  const rules = rulesOf[kind]
  return (rules && apply(rules, name)) ?? name
}

/** Kinds that a person names. Tools start objects of others, such as a Workflow, with generated names. */
const edited = new Set([
  'statefulset',
  'daemonset',
  'cronjob',
  'service',
  'pipeline',
  'task',
  'cluster',
  'strimzipodset',
])
const runs = [runner, rule('\\d{8,19}')]

/** The same, of an owner. */
export function ownerName(kind: string, name: string): string {
  if (edited.has(kind)) return name
  return rulesOf[kind] ? templateName(kind, name) : (apply(runs, name) ?? withoutGeneratedPart(name))
}

/** No object of Kubernetes has a longer name, and some rules would take the square of its length. */
const maxName = 253

function apply(rules: Rule[], name: string): string | undefined {
  if (name.length > maxName) return undefined
  for (const [end, stable] of rules) {
    const match = end.exec(name)
    if (match) return stable(name.slice(0, match.index), match)
  }
  return undefined
}
