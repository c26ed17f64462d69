/** Of popeye: how pods, workloads and machines do, and what they use. */
const ofPopeye = /^POP-(?:20\d|109|11[0-2]|50[0-6]|60[2-5]|70[1-9]|71\d)$/

/**
 * Checks about how a pod, a run or a machine is at the moment. One pod of a workload may have such a fault, and the
 * next one not. All pods of a workload share the faults of its specification, which the other checks are about.
 */
const ofState = /^(?:POD00[1-6]|JOB00[12]|NODE|EVENT|PROM|PVC004|WRK00[123]|WRK013|nodeConditions|nodeResources)/

export const isOfState = (checkId: string): boolean => ofState.test(checkId) || ofPopeye.test(checkId)

/** Events are forgotten after an hour, so that they come and go by themselves. */
export const isEvent = (checkId: string): boolean => /^EVENT00[12]$/.test(checkId)

/** Does a check of KubeBuddy have a row for each machine, also for those that are well? */
export const listsNodes = (checkId: string): boolean => /^(?:NODE00[12]|nodeConditions|nodeResources)$/.test(checkId)
