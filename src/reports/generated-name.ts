// Kubernetes generates suffixes from an alphabet without vowels and look-alikes. Other tools use hex or base 36: these count
// as generated if letters and digits mix in a way that words do not.
const safe = '[bcdfghjklmnpqrstvwxz2456789]'
const mixed = '(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]'
/** A word followed by a number is a name, not a generated part. */
const numbered = '(?![a-z]+\\d{1,3}(?![a-z0-9]))'
export const templateHash = `(?:${safe}{6,10}|${numbered}${mixed}{7,10}|\\d{8,10})`
/** `https` is the only common word of five letters without a vowel. */
const podSuffix = `(?!https(?![a-z0-9]))(?:${safe}{5}|(?=[a-z0-9]{5}\\b)(?:[a-z]+\\d+[a-z]+\\d*|\\d+[a-z]+\\d+[a-z]*)[a-z0-9]*)`

/** A uuid, a long hash or an id of some service, which nobody types by hand. */
const unique = `(?:${[
  '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
  '(?=[a-f]*\\d)[0-9a-f]{16,64}',
  '(?=[a-z]*\\d+[a-z]+\\d)[a-z0-9]{18,40}',
].join('|')})`

const oneOf = (parts: string): string => `(?:${parts.split(' ').join('|')})`
const consonant = '[bcdfghjklmnpqrstvwxz]'
/** Consonant clusters in English words, by their position. */
const onsets = oneOf(
  'bl br ch cl cr dr dw fl fr gh gl gn gr js kl kn kr mc ng ph pl pr ps sc sh sk sl sm sn sp sq st sv sw th tr ts tw wh wr',
)
const codas = oneOf(
  'bs ch ck cl cs ct db dd ds ff fs ft gg gh gl gs js lb ld lf lk ll lm lp ls lt mb mp ms nc nd ng nk nn ns nt ph ps pt rb rc rd rf rg rk rl rm rn rp rr rs rt sc sh sk sm sp ss st th ts tt wd wl wn ws',
)
const clusters = oneOf(
  'bstr ckgr ckpr ckst ghtl ghts mpts ngth nstr ntgr pstr rdwr rkfl rthr stgr tchd tchp ttpl xpl xtr',
)
/** Sequences of letters that occur in no word. */
const unspeakable = `(?:${[
  `(?=[a-z]*(?!${clusters})${consonant}{4})`,
  '(?=[a-z]*(?:q[^u]|[jvz][bcdfghjklmnpqrtvwx]|x[bdgjklmnqrsvwxz]|[bcdfghjklmpqrstvwz]x))',
  `(?!${onsets})(?=${consonant}{2})`,
  `(?=[a-z]{6}(?!${codas})${consonant}{2}$)`,
].join('|')})[a-z]`
const five = '[a-z0-9]{5}'

/** Words of five letters that look like a generated part. */
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

/** Whether five letters or digits are generated, in a name that a tool made. */
const isGenerated = (part: string): boolean => /^[a-z0-9]{5}$/.test(part) && /[a-z]/.test(part) && !words.has(part)

/** A suffix that cannot be a word. */
const sureSuffix = new RegExp(`^(?:${safe}{5}|${mixed}{5})$`)
const isSurelyGenerated = (part: string): boolean => isGenerated(part) && sureSuffix.test(part)

/** `train-x7k2p-step` → `train-step`: removes the last generated part. The name may end with that of a step. */
function withoutGeneratedPart(name: string): string {
  const parts = name.split('-')
  const last = (is: (part: string) => boolean) => parts.findLastIndex((part, i) => i > 0 && is(part))
  const [sure, nearest] = [last(isSurelyGenerated), last(isGenerated)]
  const at = sure > 0 && nearest === parts.length - 1 ? sure : nearest
  return at < 0 ? name : parts.toSpliced(at, 1).join('-')
}

/** A pattern for the end of a name, and a function that returns the stable part before it. */
type Rule = [end: RegExp, stable: (head: string, end: RegExpExecArray) => string]
const rule = (end: string, stable: Rule[1] = (head) => head): Rule => [new RegExp(`(?<=.)-${end}$`), stable]

const withoutRevision = (name: string): string => apply(revision, name) ?? name

const revision = [
  rule('\\d{5}-deployment'), // Knative
  rule('(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{12}'), // packages of Crossplane
  // Hooks of Argo CD, before the time of the sync
  rule(
    '(?:[0-9a-f]{7}|\\d[0-9a-z.]{0,6})-((?:pre|post)?sync|syncfail|(?:pre|post)delete|skip)',
    (head, [, phase]) => `${head}-${phase}`,
  ),
]
const runner = rule(`(${five})-runner-${five}(-workflow)?`, (head, [, part, role = '']) =>
  words.has(part!) ? `${head}-${part}-runner${role}` : `${head}-runner${role}`,
)

/** Patterns of pod names, by the tools that create the pods. */
const pods: Rule[] = [
  rule(`${templateHash}-${five}`, withoutRevision), // Deployments and CronJobs
  // Pods synced by vcluster have their namespace and virtual cluster as a suffix.
  rule('(x-[a-z0-9-]+-x-[a-z0-9-]+)', (head, [, within]) => `${templateName('pod', head)}-${within}`),
  rule('project-(\\d+)-concurrent-[a-z0-9-]+', (head, [, project]) => `${head.split('-')[0]}-project-${project}`), // GitLab
  runner, // Actions Runner Controller
  rule(`runner-${five}(-workflow)?`, (head, [, role = '']) => `${head}-runner${role}`),
  rule(`raycluster-${five}-(.+)-${five}`, (head, [, role]) => `${withoutSuffix(head)}-${role}`), // Ray
  rule(`\\d{1,6}-${five}-${five}-${five}`), // Jenkins: the number of the build
  rule(`${unique}(?:-(driver|exec))?(?:-\\d{1,5}|-${podSuffix})?`, (head, [, role]) =>
    role ? `${head}-${role}` : head,
  ), // Spark, Dagster, CI
  rule(`${unique}(?:-\\d{1,3})?-(.+)`, (head, [, step]) => `${head}-${step}`),
  rule(`\\d{11,19}-${five}`), // Velero
  rule(`backup-${safe}{4}-${five}`, (head) => `${head}-backup`), // Postgres Operator of Crunchy
  rule(`${podSuffix}-${podSuffix}`), // Jobs of a generated name
  rule('\\d{1,5}-(deploy|build|hook-(?:pre|mid|post))', (head, [, role]) => `${head}-${role}`), // OpenShift
  rule(podSuffix), // DaemonSets and Jobs
  rule('taskmanager-\\d+-\\d+', (head) => `${head}-taskmanager`), // Flink
  rule('pod', withoutGeneratedPart), // Tekton
  // A step of Argo Workflows ends with a decimal hash. Its workflow has a generated name, or the time of its schedule.
  rule('\\d{10}-(.+)-\\d{7,10}', (head, [, step]) => `${head}-${step}`),
  rule('\\d{7,10}', withoutGeneratedPart),
  rule(`(?:${mixed}{8}|${unspeakable}{8})`), // Airflow
  rule('\\d{1,3}'), // ordinals of StatefulSets and of operators
]

/** Kustomize appends a hash of the content: 10 characters without vowels. */
const contents = [rule('[bcdfghkmt2456789]{10}')]
const claims = [rule('\\d{1,3}')] // of a replica of a StatefulSet
const secrets = [
  ...contents,
  rule(`(token|dockercfg)-${safe}{5}`, (head, [, role]) => `${head}-${role}`), // of a ServiceAccount
  [/(?<=^sh\.helm\.release\.v1\..+)\.v\d+$/, (head: string) => head] satisfies Rule, // revisions of a release
]
const solvers = [rule(`acme-http-solver-${safe}{5}`, (head) => `${head}-acme-http-solver`)] // cert-manager
const drawn = [rule(`${safe}{5}`)]

const toRules: Record<string, Rule[]> = {
  pod: pods,
  job: [
    rule(unique),
    rule(templateHash, withoutRevision),
    rule('\\d{11,19}'),
    rule(podSuffix),
    rule(`backup-${safe}{4}`, (head) => `${head}-backup`),
  ],
  replicaset: [rule(templateHash, withoutRevision)],
  deployment: revision,
  configmap: contents,
  secret: secrets,
  service: solvers,
  ingress: solvers,
  endpointslice: drawn,
  certificatesigningrequest: drawn,
  controllerrevision: [rule(templateHash)],
  persistentvolumeclaim: claims,
  pvc: claims,
}

const suffix = [rule(podSuffix)]
const withoutSuffix = (name: string): string => apply(suffix, name) ?? name

/** The part of a name that stays when its object is replaced: pod `web-65cc8855c-ghk9m` → `web`. `kind` is singular. */
export function templateName(kind: string, name: string): string {
  const rules = toRules[kind]
  return (rules && apply(rules, name)) ?? name
}

/** Kinds of objects that tools create with a generated name. Users name all others. */
const started = /^(?:workflow|taskrun|pipelinerun|customrun|buildrun|ephemeralrunner(?:set)?)$/
const runs = [runner, rule('\\d{8,19}')]

/** Like `templateName`, for a controller. */
export function ownerName(kind: string, name: string): string {
  if (toRules[kind]) return templateName(kind, name)
  return apply(runs, name) ?? (started.test(kind) ? withoutGeneratedPart(name) : name)
}

/** Longest name of a Kubernetes object. Some patterns take quadratic time. */
const maxName = 253

function apply(rules: Rule[], name: string): string | undefined {
  if (name.length > maxName) return undefined
  for (const [end, stable] of rules) {
    const match = end.exec(name)
    if (match) return stable(name.slice(0, match.index), match)
  }
  return undefined
}
