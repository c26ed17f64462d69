import type { AssessmentSubject } from './subject.ts'

/** Workloads as `namespace/kind/name`, without duplicates, sorted. */
export function workloadsFor({ places }: Pick<AssessmentSubject, 'places'>) {
  const all = places.flatMap(({ namespace, workload }) =>
    workload === null ? [] : [namespace === null ? workload : `${namespace}/${workload}`],
  )
  return [...new Set(all)].sort()
}
