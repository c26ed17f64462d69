// Kubernetes generates suffixes from an alphabet without vowels and look-alikes. Other tools use hex or base 36: these count
// as generated if letters and digits mix in a way that words do not.
const safe = '[bcdfghjklmnpqrstvwxz2456789]'
const mixed = '(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]'
/** A word followed by a number is a name, not a generated part. */
const numbered = '(?![a-z]+\\d{1,3}(?![a-z0-9]))'
export const templateHash = `(?:${safe}{6,10}|${numbered}${mixed}{7,10}|\\d{8,10})`
/** `https` is the only common word of five letters without a vowel. */
const podSuffix = `(?!https(?![a-z0-9]))(?:${safe}{5}|(?=[a-z0-9]{5}\\b)(?:[a-z]+\\d+[a-z]+\\d*|\\d+[a-z]+\\d+[a-z]*)[a-z0-9]*)`
const five = '[a-z0-9]{5}'
const time = '\\d{11,19}'

/** A uuid, a long hash or an id of some service, which nobody types by hand. */
const unique = `(?:${[
  '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
  '(?=[a-f]*\\d)[0-9a-f]{16,64}',
  '(?=[a-z]*\\d+[a-z]+\\d)[a-z0-9]{18,40}',
].join('|')})`

/** What Knative adds to a Deployment. */
const numberOfKnative = '\\d{5}-deployment'
/** A commit or the version of a chart, and the phase of a hook of Argo CD. */
const hook = '(?:[0-9a-f]{7}|\\d[0-9a-z.]{0,6})(-(?:(?:pre|post)?sync|syncfail|(?:pre|post)delete|skip))'
const revision = `(?:(?:${numberOfKnative}|${hook})-)?`

/** vcluster appends a namespace and the name of the virtual cluster. */
const synced = /(?<=.)-x-[a-z0-9-]+-x-[a-z0-9-]+$/

/** A pattern for the generated end of a name. What its groups find stays. */
const rule = (end: string): RegExp => new RegExp(`(?<=.)-${end}$`)

/** The generated part of a workflow's name, and the name of a step. */
const workflow = `(?:${podSuffix}|\\d{10})(-.+)?`
/** Common words before `runner`, which are not generated. */
const purpose = '(?:agent|batch|build|cache|cloud|infra|large|linux|micro|small|stage|tests)-'
/** Actions Runner Controller generates the parts before and behind `runner`. */
const runner = rule(`(?:(?!${purpose})${five}(-runner)-|(?<=-runner-))${five}(-workflow)?`)
const drawn = rule(`${safe}{5}`)
const drawnForRole = rule(`(?<=-(?:acme-http-solver|dockercfg|token)-)${safe}{5}`)
const ordinal = rule('\\d{1,3}')

/** Kustomize appends a hash of the content: 10 characters without vowels. */
const content = rule('[bcdfghkmt2456789]{10}')

const toRules = new Map<string, RegExp[]>(
  Object.entries({
    pod: [
      rule(`${revision}${templateHash}-${five}`), // Deployments and CronJobs
      rule('.+(-project-\\d+)-concurrent-[a-z0-9-]+'), // GitLab
      runner,
      rule(`${unique}(?:-\\d{1,5})?(-.+?)??(?:-\\d{1,5}|-${podSuffix})?`), // the role of the pod stays
      // Jobs and DaemonSets; builds of Jenkins, with their number
      rule(`(?:\\d{1,6}-${five}-${five}-${five}|${time}-${five}|(?:${podSuffix}-)?${podSuffix})`),
      rule('\\d{1,5}(-(?:deploy|build|hook-(?:pre|mid|post)))'), // OpenShift
      rule(`(?:${workflow}-)?(?:pod|\\d{7,10})`), // steps of Tekton and Argo Workflows
      rule(`${mixed}{8}`),
      rule('(?<=-taskmanager-)\\d+-\\d+'), // Flink
      ordinal,
    ],
    job: [rule(unique), rule(`${revision}(?:${templateHash}|${time})`), rule(podSuffix)],
    replicaset: [rule(templateHash)],
    deployment: [rule(numberOfKnative)],
    configmap: [content],
    secret: [content, drawnForRole, /(?<=^sh\.helm\.release\.v1\..+)\.v\d+$/],
    service: [drawnForRole],
    ingress: [drawnForRole],
    endpointslice: [drawn],
    certificatesigningrequest: [drawn],
    controllerrevision: [rule(templateHash)],
    persistentvolumeclaim: [ordinal],
    pvc: [ordinal],
  }),
)

/** The part of a name that stays when its object is replaced: pod `web-65cc8855c-ghk9m` → `web`. `kind` is singular. */
export const templateName = (kind: string, name: string): string => apply(toRules.get(kind) ?? [], name)

/** Kinds of objects that tools create with a generated name. Users name all others. */
const started = /^(?:workflow|taskrun|pipelinerun|customrun|buildrun|ephemeralrunner(?:set)?)$/
const dated = [rule('\\d{8,19}')]
const drawnOrDated = [runner, ...dated, rule(workflow)]

/** Like `templateName`, for a controller. */
export const ownerName = (kind: string, name: string): string =>
  apply(toRules.get(kind) ?? (started.test(kind) ? drawnOrDated : dated), name)

/** Longest name of a Kubernetes object. Some patterns take quadratic time. */
const maxName = 253

function apply(rules: RegExp[], name: string): string {
  if (name.length > maxName) return name
  const [within = ''] = synced.exec(name) ?? []
  const own = name.slice(0, name.length - within.length)
  for (const rule of rules) {
    const match = rule.exec(own)
    if (match) return own.slice(0, match.index) + match.slice(1).join('') + within
  }
  return name
}
