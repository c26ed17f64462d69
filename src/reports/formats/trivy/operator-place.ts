import { string } from '../../text.ts'
import { object, objects } from '../values.ts'

type Values = Record<string, unknown>

const label = (labels: Values, name: string) => string(labels[`trivy-operator.${name}`])

export interface OperatorPlace {
  namespace: string | undefined
  /** Kind and name as the operator writes them: `ReplicaSet`, `web-65cc8855c`. */
  kind: string | undefined
  name: string | undefined
  container: string | undefined
}

/** The resource that a report of Trivy's operator is about. A name that is not a valid label is in an annotation. */
export function toOperatorPlace(item: Values): OperatorPlace {
  const metadata = object(item.metadata)
  const [labels, annotations] = [object(metadata.labels), object(metadata.annotations)]
  const [owner] = objects(metadata.ownerReferences)
  return {
    namespace: label(labels, 'resource.namespace') ?? string(metadata.namespace),
    kind: label(labels, 'resource.kind') ?? string(owner?.kind) ?? string(item.kind),
    name:
      label(labels, 'resource.name') ??
      label(annotations, 'resource.name') ??
      string(owner?.name) ??
      string(metadata.name),
    container: label(labels, 'container.name'),
  }
}
