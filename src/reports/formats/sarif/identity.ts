import { hash } from 'node:crypto'
import { maxTextLength } from '../../item.ts'
import { stableValue } from '../../stable-text.ts'
import { string } from '../../text.ts'
import { entriesOfTexts, object, type Values } from '../values.ts'

/** The category of a run. The part of its id after the last slash names this execution only. */
export function categoryOfRun({ automationDetails }: Values) {
  const id = string(object(automationDetails).id) ?? ''
  return id.slice(0, id.lastIndexOf('/') + 1)
}

/** Distinguishes the findings of several runs in one log. */
export function identityOfRun(run: Values, tool: string) {
  const image = string(object(run.properties).imageName)
  return [tool, categoryOfRun(run), image ? stableValue(image) : ''].join('\n')
}

interface Parts {
  run: string
  result: Values
  ruleId: string
  /** The files and logical locations. */
  names: string
  message: string
}

/**
 * The identity of a result across scans: rule, places without lines, and the tool's own fingerprints, or else the message
 * without versions.
 */
export function identityOfResult({ run, result, ruleId, names, message }: Parts) {
  const fingerprints = [...entriesOfTexts(result.fingerprints), ...entriesOfTexts(result.partialFingerprints)]
  const said = fingerprints.length > 0 ? JSON.stringify(fingerprints.sort()) : withoutVersions(message)
  return digest([run, string(result.ruleId) ?? ruleId, withoutVersions(names), said].join('\n\n'))
}

/** A short hash, because one is held in memory for each result. */
export const digest = (text: string) => hash('sha256', text, 'base64').slice(0, 24)

const versionLine = /^[^\S\n\r\u2028\u2029]*(?:(?:installed|fixed|current|affected) versions?|severity)\s*:/i
const digests = /(?:@|\b)sha256:[0-9a-f]{12,64}/g
const versions = /\bversions?:? +[^\s,]*\d[^\s,]*|(?:\b\d+:)?\bv?\d+(?:\.\d+)+[\w.~+:-]*/gi

/** Package scanners write versions into their messages; these change while the finding stays. */
function withoutVersions(text: string) {
  return withoutVersionLines(text.slice(0, maxTextLength)).replace(digests, '').replace(versions, '#')
}

/** Removes each version line with the empty lines before it. */
function withoutVersionLines(text: string) {
  const kept: string[] = []
  let emptyLines = 0
  for (const line of text.split(/(?<=[\n\r\u2028\u2029])/)) {
    const isVersion = versionLine.test(line)
    if (isVersion) kept.length -= emptyLines
    kept.push(isVersion ? (/[\n\r\u2028\u2029]$/.exec(line)?.[0] ?? '') : line)
    emptyLines = !isVersion && line.trim() === '' ? emptyLines + 1 : 0
  }
  return kept.join('')
}
