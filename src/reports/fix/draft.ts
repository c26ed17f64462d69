import type { FixProposal } from '../../contract/fix-proposal.ts'
import type { Finding } from '../../contract/scan-finding.ts'
import { quoteShell } from '../../util/quote-shell.ts'
import { asLabel, type FixPlace, hasTemplate } from './place.ts'

/** The API server checks the change and stores nothing. */
export const dryRun = '--dry-run=server'

/** JSON placeholders without quotes: kubectl rejects the patch until they are filled in. */
const rawPlaceholders = /"(USER_ID|PORT|TARGET_PORT|CONTAINER_PORT|FAILURES|MATCH_LABELS)"/g

/** Check id → function that adds the commands of its fix. */
export type Fixes = Record<string, (draft: FixDraft) => unknown>
type Json = Record<string, unknown>

/** Collects the commands of a proposed fix, and the values that the user has to fill in because the report lacks them. */
export class FixDraft {
  readonly message: string
  readonly value: string
  readonly place: FixPlace
  readonly #steps: FixProposal['steps'] = []
  #isDryRun = false
  readonly #fillIn = new Map<string, string>()
  readonly #cautions: string[] = []

  constructor({ message, value }: Pick<Finding, 'namespace' | 'resource' | 'message' | 'value'>, place: FixPlace) {
    this.message = message
    this.value = value ?? ''
    this.place = place
  }

  get proposal(): FixProposal | undefined {
    const fill_in = [...this.#fillIn].map(([placeholder, words]) => ({ placeholder, words }))
    return this.#steps.length === 0
      ? undefined
      : {
          steps: this.#steps,
          fill_in,
          cautions: this.#cautions,
          ...(this.#isDryRun && { dry_run: true }),
        }
  }

  /** Returns a placeholder in capitals for an unknown value. */
  fill(placeholder: string, words: string) {
    this.#fillIn.set(placeholder, words)
    return placeholder
  }

  caution(words: string) {
    this.#cautions.push(words)
  }

  /** Adds a `kubectl` command; its arguments are quoted for a POSIX shell. */
  step(words: string, args: string[]) {
    this.#isDryRun ||= args.includes(dryRun)
    this.#steps.push({ words, command: formatLine(['kubectl', ...args]) })
  }

  /** Creates or changes an object for which kubectl has no subcommand. */
  apply(words: string, object: Json) {
    this.#isDryRun = true
    const sent = formatLine(['kubectl', 'apply', dryRun, '-f', '-'])
    this.#steps.push({ words, command: `printf '%s\\n' ${quoteShell(toJson(object))} | ${sent}` })
  }

  get namespace() {
    return this.place.namespace ?? this.fill('NAMESPACE', 'the namespace, which the report does not name')
  }

  /** The name of the object that the finding is about. */
  get name() {
    return this.place.name ?? this.fill('NAME', 'the name of the object, which the report does not name')
  }

  /** Name of the container. Some checks give only its name, as the value of a row. */
  container(options: { isValue?: boolean } = {}) {
    const found = toContainer(this) ?? (options.isValue ? asLabel(this.value) : undefined)
    return found ?? this.fill('CONTAINER', 'the name of the container, which the report does not name')
  }

  /** A command in the namespace of the finding. */
  inNamespace(words: string, ...args: string[]) {
    this.step(words, ['-n', this.namespace, ...args])
  }

  /** `deployment/web`. If the pod's owner is uncertain, adds a step that shows it. */
  get workload() {
    const { kind, name, workload } = this.place
    if (kind === 'pod' && workload?.basis !== 'inventory') this.#askForOwner(name)
    if (workload) return `${workload.kind}/${workload.name}`
    return this.fill(
      'KIND/NAME',
      'the workload with the pod template, such as deployment/web or statefulset/db. A CronJob has its pod template below spec.jobTemplate.',
    )
  }

  #askForOwner(pod: string | undefined) {
    const { workload } = this.place
    const guess = workload ? `: by its name, ${workload.kind}/${workload.name}` : ''
    const owner = '.metadata.ownerReferences[0]'
    const path = `jsonpath={${owner}.kind}/{${owner}.name}`
    const words = `See what owns the pod${guess}`
    const command = formatLine(['kubectl', '-n', this.namespace, 'get', 'pod', pod ?? this.name, '-o', path])
    if (!this.#steps.some((step) => step.command === command)) this.#steps.push({ words, command })
  }

  /** Patches an object. kubectl's default patch type, strategic merge, knows which lists have keys. */
  patch(words: string, resource: string, patch: Json, type?: 'merge') {
    const typed = type ? [`--type=${type}`] : []
    this.inNamespace(words, 'patch', resource, ...typed, dryRun, '-p', toJson(patch))
  }

  /** Patches the pod template of the workload. */
  patchPods(words: string, podSpec: Json) {
    const resource = this.workload
    const { workload } = this.place
    const template = { spec: { template: { spec: podSpec } } }
    if (workload && !hasTemplate(workload)) {
      this.inNamespace(
        `${resource} creates the pod. ${words} in its definition, as ${toJson(podSpec)} in the pod template`,
        'get',
        resource,
        '-o',
        'yaml',
      )
      return
    }
    this.patch(words, resource, workload?.kind === 'cronjob' ? { spec: { jobTemplate: template } } : template)
  }

  /** Patches the named container of the pod template. */
  patchContainer(words: string, fields: Json, options: { isValue?: boolean; podSpec?: Json } = {}) {
    const isInit = /^init ?container\b/i.test(this.message) || this.value.includes('ContainerType: InitContainer')
    const containers = [{ name: this.container(options), ...fields }]
    this.patchPods(words, { ...options.podSpec, ...(isInit ? { initContainers: containers } : { containers }) })
    if (!isInit) this.caution('If it is an init container, write initContainers instead of containers in the patch.')
  }
}

/** Parses `Container app runs …`, `Container 'app' is …`, `in container app`, or the value `app, Flags: …`. */
function toContainer({ message, value }: FixDraft) {
  const named =
    /^Container '([^']+)'/.exec(message)?.[1] ??
    /^(?:Init)?Container (\S+?):? (?:runs|is|has|does|adds|uses|missing required|image)/i.exec(message)?.[1] ??
    /\bin container (\S+)$/.exec(message)?.[1] ??
    /\bContainer: ([^,]+)/.exec(message)?.[1]
  return asLabel(named) ?? asLabel(/^([^,]+), [A-Z][A-Za-z]*:/.exec(value)?.[1])
}

const toJson = (value: Json) => JSON.stringify(value).replace(rawPlaceholders, '$1')

const formatLine = (words: string[]) =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteShell(word))).join(' ')
