/** Checks of popeye about the status and usage of pods, workloads and nodes. */
const ofPopeye = /^POP-(?:20\d|109|11[0-2]|50[0-6]|60[2-5]|70[1-9]|71\d)$/

/**
 * Checks about the current state of a pod, run or node. One pod of a workload may have such a fault while another does not.
 * Other checks are about the specification, which all pods of a workload share.
 */
const ofState = /^(?:POD00[1-6]|JOB00[12]|NODE|EVENT|PROM|PVC004|WRK00[123]|WRK013|nodeConditions|nodeResources)/

export const isOfState = (checkId: string): boolean => ofState.test(checkId) || ofPopeye.test(checkId)

/** Events expire after an hour, so they disappear by themselves. */
export const isEvent = (checkId: string): boolean => /^EVENT00[12]$/.test(checkId)

/** Whether a check of KubeBuddy has a row for each node, including healthy ones. */
export const listsNodes = (checkId: string): boolean => /^(?:NODE00[12]|nodeConditions|nodeResources)$/.test(checkId)
