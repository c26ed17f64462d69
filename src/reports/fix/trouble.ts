import type { FixDraft, Fixes } from './draft.ts'
import { asLabel, asName } from './place.ts'

/** These checks have no patch: the commands show why a pod does not run. */
function showPod(draft: FixDraft) {
  draft.inNamespace('See its state and its events', 'describe', 'pod', draft.name)
}

function showLogs(draft: FixDraft) {
  showPod(draft)
  const container = asLabel(draft.value.split(',')[0])
  const of = container !== undefined && isContainerRow.test(draft.message) ? ['-c', container] : ['--all-containers']
  draft.inNamespace('Read the last lines before the restart', 'logs', draft.name, ...of, '--previous', '--tail=100')
}

/** Rows of WRK013 are about a container, which is their value. */
const isContainerRow = /HighRestarts|CrashLoopBackOff,|OOMKilled/

function showRollout(draft: FixDraft) {
  draft.inNamespace('See its conditions', 'describe', draft.workload)
  draft.inNamespace('See what the cluster warns about', 'get', 'events', '--field-selector=type=Warning')
}

/** `Back-off restarting failed container app in pod web-7c9d-x2x5p_shop`. */
function showEvents(draft: FixDraft) {
  const { place, message } = draft
  const [, pod, namespace] = /\bin pod ([^\s_]+)_([^\s_(]+)/.exec(message) ?? []
  const object = asName(place.kind === 'pod' ? place.name : pod)
  const within = place.namespace ?? asLabel(namespace)
  if (object !== undefined && within !== undefined) {
    draft.step('See the pod and its events', ['-n', within, 'describe', 'pod', object])
    return
  }
  const reason = /^([A-Za-z]{1,60})(?:,|$)/.exec(draft.value)?.[1]
  const selector = `--field-selector=type=Warning${reason ? `,reason=${reason}` : ''}`
  const scope = within === undefined ? ['--all-namespaces'] : ['-n', within]
  draft.step('See which objects have the event', ['get', 'events', ...scope, selector])
}

function restart(draft: FixDraft) {
  const workload = draft.workload
  draft.inNamespace('See since when its pods run', 'get', 'pods', '--sort-by=.status.startTime')
  draft.inNamespace('Restart it, if it does not pick up new images or settings', 'rollout', 'restart', workload)
  draft.caution('This one has no dry run: it replaces each pod of the workload. A pod may run for long.')
}

/** Fixes for checks about failing pods and rollouts. */
export const troubleFixes: Fixes = {
  POD001: showLogs,
  POD002: restart,
  POD003: showLogs,
  POD004: showPod,
  POD005: showLogs,
  POD006: showPod,
  WRK001: showRollout,
  WRK002: showRollout,
  WRK003: showRollout,
  WRK013: showLogs,
  EVENT001: showEvents,
  EVENT002: showEvents,
  PVC004: (draft) => draft.inNamespace('See why no volume fits', 'describe', 'persistentvolumeclaim', draft.name),
}
