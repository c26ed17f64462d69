import type { JsonReader } from '../../../util/json.ts'
import { maxTextLength } from '../../item.ts'
import { imageSubject, toolSubject } from '../../ledger.ts'
import { shown } from '../../not-run-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { eachObject, notOf, object, objects, openObject, time, toRows, type Values } from '../values.ts'
import { categoryOfRun, digest, identityOfResult, identityOfRun } from './identity.ts'
import { ResultPlaces } from './place.ts'
import { Rules, type SarifRule } from './rules.ts'
import { severityFor } from './severity.ts'

/** SARIF 2.1.0 of any tool: `runs`, each with the rules of its tool and the `results` they found. */
export function readSarif(bytes: Uint8Array) {
  const reader = openObject(bytes)
  const collector = new ScanCollector('sarif')
  const duplicates = new DuplicateCounter()
  let generatedAt: number | undefined
  let found = false
  const rest: Values = {}
  for (const key of reader.members()) {
    if (key === 'inlineExternalProperties' && toRows(reader.value(), key).some(hasResults)) {
      collector.gap('Results', `its results may be in ${key}`)
    }
    if (key === 'version') {
      const version = reader.value()
      if (!/^2\.1\.0(?:-|$)/.test(string(version) ?? ''))
        collector.gap('Results', `the version of the log is ${shown(version)}`)
    }
    if (!logShape.known.has(key)) rest[key] = reader.value()
    if (key !== 'runs' || !reader.isArray()) continue
    found = true
    for (const _ of reader.elements()) {
      if (reader.isObject()) generatedAt = readRun(reader, collector, duplicates) ?? generatedAt
      else collector.gap('Results', 'a run is no object')
    }
  }
  reader.end()
  if (!found) throw notOf('sarif', 'runs')
  collector.gap('Results', strangeMember(rest, logShape))
  return collector.finish({ clusterName: undefined, generatedAt })
}

/** Members that decide the outcome of a run. */
const decidingParts = new Set(['results', 'invocations', 'driver'])

const hasResults = (properties: Values) =>
  Object.entries(properties).some(([key, value]) => {
    const isFilled = Array.isArray(value) ? value.length > 0 : value != null
    return decidingParts.has(key.toLowerCase()) && isFilled
  })

const resultFields = 'ruleId level message locations kind'

const logShape = shapeFor({ known: '$schema version runs inlineExternalProperties properties', rows: resultFields })

/** All members that the standard defines. */
const runShape = shapeFor({
  known:
    'tool invocations conversion language versionControlProvenance originalUriBaseIds artifacts logicalLocations graphs ' +
    'results automationDetails runAggregates baselineGuid redactionTokens defaultEncoding defaultSourceLanguage ' +
    'newlineSequences columnKind externalPropertyFileReferences threadFlowLocations taxonomies addresses translations ' +
    'policies webRequests webResponses specialLocations',
  unread: 'properties',
  rows: resultFields,
})

const toolShape = shapeFor({ known: 'driver extensions', unread: 'properties' })

const driverShape = shapeFor({
  known:
    'guid name organization product productSuite shortDescription fullDescription fullName version semanticVersion ' +
    'dottedQuadFileVersion releaseDateUtc downloadUri informationUri globalMessageStrings notifications rules taxa ' +
    'locations language contents isComprehensive localizedDataSemanticVersion minimumRequiredLocalizedDataSemanticVersion ' +
    'associatedComponent translationMetadata supportedTaxonomies',
  unread: 'properties',
})

const resultShape = shapeFor({
  known:
    'ruleId ruleIndex rule kind level message analysisTarget locations guid correlationGuid occurrenceCount ' +
    'partialFingerprints fingerprints stacks codeFlows graphs graphTraversals relatedLocations suppressions baselineState ' +
    'rank attachments hostedViewerUri workItemUris provenance fixes taxa webRequest webResponse properties',
})

const invocationShape = shapeFor({
  known:
    'commandLine arguments responseFiles startTimeUtc endTimeUtc exitCode ruleConfigurationOverrides ' +
    'notificationConfigurationOverrides toolExecutionNotifications toolConfigurationNotifications exitCodeDescription ' +
    'exitSignalName exitSignalNumber processStartFailureMessage executionSuccessful machine account processId ' +
    'executableLocation workingDirectory environmentVariables stdin stdout stderr stdoutStderr properties fileName',
})

/** Tools that only look for vulnerabilities. Others, such as Trivy, do not state in SARIF what they looked for. */
const vulnerabilityScanners = new Set(['grype', 'osv-scanner', 'docker scout', 'snyk container'])

const headKeys = new Set([
  'tool',
  'properties',
  'invocations',
  'artifacts',
  'logicalLocations',
  'automationDetails',
  'externalPropertyFileReferences',
])

/** Returns the time at which the run ended. */
function readRun(reader: JsonReader, collector: ScanCollector, duplicates: DuplicateCounter) {
  const head: Values = {}
  let results: JsonReader | undefined
  for (const key of reader.members()) {
    if (key === 'results') results = reader.later()
    else if (headKeys.has(key) || !runShape.known.has(key)) head[key] = reader.value()
  }
  const tool = object(head.tool)
  const category = string(object(tool.driver).name) ?? ''
  const image = string(object(head.properties).imageName)
  collector.subject(image ? imageSubject(image, { tool: category }) : toolSubject(category, categoryOfRun(head)))
  const rules = new Rules(tool)
  for (const rule of rules.all) collector.check(toInfo(rule, category))
  if (image) collector.image(image, { namespace: null, resource: null })
  const missing = resultsGap(head, results)
  collector.gap(`Results of ${category || 'a tool'}`, missing, category || '*')
  let failures = 0
  if (results) {
    const run = { identity: identityOfRun(head, category), category, rules, places: new ResultPlaces(head), duplicates }
    for (const result of eachObject(results, 'runs.results')) {
      if (readResult(result, run, collector) === 'failed') failures++
    }
    results.end()
  }
  if (missing === undefined && vulnerabilityScanners.has(category.toLowerCase())) collector.vulnerabilityScan()
  const invocations = toRows(head.invocations, 'runs.invocations')
  readInvocations(invocations, { rules, category, failures }, collector)
  return time(invocations[0]?.endTimeUtc)
}

/** Why findings may be missing: the run has no `results`, or has them in other files or under another name. */
function resultsGap(head: Values, results: JsonReader | undefined) {
  const { tool } = head
  const strange =
    strangeMember(head, runShape) ??
    strangeMember(object(tool), toolShape) ??
    strangeMember(object(object(tool).driver), driverShape)
  if (strange !== undefined) return strange
  const elsewhere = Object.keys(object(head.externalPropertyFileReferences)).find((part) =>
    decidingParts.has(part.toLowerCase()),
  )
  if (elsewhere !== undefined) return `its ${elsewhere} may be in other files`
  return results === undefined || (!results.isArray() && !results.isObject()) ? 'the run has no results' : undefined
}

/** Reads invocations. A failed one is a gap: the tool may have scanned nothing. */
function readInvocations(
  invocations: Values[],
  { rules, category, failures }: RunRules & { failures: number },
  collector: ScanCollector,
) {
  const name = category || 'A tool'
  const failure = invocations.map((invocation) => toFailure(invocation, failures)).find(Boolean)
  collector.gap(`Run of ${name}`, failure, category || '*')
  if (failure === undefined && category) collector.lookedAt()
  const notifications = invocations.flatMap((invocation) => [
    ...toRows(invocation.toolExecutionNotifications, 'runs.invocations.toolExecutionNotifications'),
    ...toRows(invocation.toolConfigurationNotifications, 'runs.invocations.toolConfigurationNotifications'),
  ])
  for (const notification of notifications.filter(isFailure)) {
    const text = string(object(notification.message).text) ?? 'no reason given'
    const about = object(notification.associatedRule)
    if (string(about.id) !== undefined || about.index !== undefined)
      collector.notRun(toInfo(rules.of({ rule: about }), category), text)
    else collector.gap(`Run of ${name}`, `the tool reports an error: ${text}`, category || '*')
  }
}

const harmlessLevels = new Set<unknown>([undefined, null, 'none', 'note', 'warning'])

/** A notification without a level is a warning. */
const isFailure = ({ level, exception }: Values) =>
  !harmlessLevels.has(string(level)?.toLowerCase() ?? level) || exception != null

/** Why an invocation may have failed. `failures`: number of results that would explain an exit code of 1. */
function toFailure(invocation: Values, failures: number) {
  const {
    executionSuccessful = true,
    exitCode,
    exitSignalName,
    exitSignalNumber,
    processStartFailureMessage,
  } = invocation
  if (executionSuccessful !== true) return 'the tool reports that its run failed'
  const said = string(processStartFailureMessage) ?? string(exitSignalName)
  if (said !== undefined) return `the tool reports that its run failed: ${said}`
  if ((exitSignalNumber ?? 0) !== 0) return `the tool ended by signal ${shown(exitSignalNumber)}`
  const isExplained = (exitCode ?? 0) === 0 || (exitCode === 1 && failures > 0)
  return isExplained ? strangeMember(invocation, invocationShape) : `the exit code of the tool is ${shown(exitCode)}`
}

interface RunRules {
  rules: Rules
  /** The tool's name. */
  category: string
}

interface SarifRun extends RunRules {
  identity: string
  places: ResultPlaces
  duplicates: DuplicateCounter
}

const toInfo = ({ id, name, recommendation, url }: SarifRule, category: string) => ({
  id,
  name,
  category,
  recommendation,
  url,
})

/** A result is a finding unless it passed, is absent since the baseline, or is suppressed. */
function readResult(result: Values, run: SarifRun, collector: ScanCollector) {
  const { baselineState } = result
  const kind = result.kind === undefined ? 'fail' : string(result.kind)?.toLowerCase()
  if (baselineState === 'absent') return 'other'
  const rule = run.rules.of(result)
  const info = toInfo(rule, run.category)
  if (kind === 'fail') {
    addFinding(result, { ...run, rule }, collector)
    return 'failed'
  }
  if (kind === 'open' || kind === 'review') collector.notRun(info, formatMessage(result, rule))
  else if (kind !== undefined && passingKinds.has(kind)) collector.passed(info, doubtOfPassed(result))
  else collector.notUnderstood(info, `the kind of a result is ${shown(result.kind)}`)
  return 'other'
}

function doubtOfPassed(result: Values) {
  const isAlarming = /^(?:error|warning)$/i.test(string(result.level) ?? '')
  return isAlarming ? `the level ${shown(result.level)}` : strangeMember(result, resultShape)
}

const passingKinds = new Set(['pass', 'informational', 'notapplicable'])

function addFinding(result: Values, run: SarifRun & { rule: SarifRule }, collector: ScanCollector) {
  const { rule, duplicates } = run
  const info = toInfo(rule, run.category)
  if (result.message === undefined) collector.gap(`Results of ${run.category || 'a tool'}`, 'a result has no message')
  const severity = severityFor(result, rule)
  const message = formatMessage(result, rule)
  const { place, shown, names, exact } = run.places.of(result)
  const identity = identityOfResult({ run: run.identity, result, ruleId: rule.id, names, message })
  const item = { ...place, message, value: shown, identity }
  const twin = duplicates.of(identity, digest(`${message}\n${exact}`))
  const suppression = acceptedSuppression(result)
  if (suppression) {
    const reason = string(suppression.justification) ?? string(suppression.kind)
    collector.suppressed(info, severity, item, { reason, until: undefined }, twin)
  } else collector.finding(info, severity, item, twin)
}

/** A suppression of a known kind without a status is accepted; one under review or rejected has no effect. */
function acceptedSuppression({ suppressions }: Values) {
  const all = objects(suppressions)
  const areAccepted = all.every(
    ({ kind, status }) => kinds.has(kind) && (status === undefined || status === 'accepted'),
  )
  return areAccepted ? all[0] : undefined
}

const kinds = new Set<unknown>(['inSource', 'external'])

const maxArgumentLength = 200

/** Truncates both parts: a short log could expand to a message of any length. */
function formatMessage(result: Values, rule: SarifRule) {
  const { text, id, arguments: values } = object(result.message)
  const template = string(text) ?? string(object(rule.messages[string(id) ?? '']).text) ?? rule.name
  const given = Array.isArray(values) ? values : []
  const argument = (i: string) => string(given[Number(i)])?.slice(0, maxArgumentLength)
  return template.slice(0, maxTextLength).replace(/\{(\d+)\}/g, (whole, i) => argument(i) ?? whole)
}
