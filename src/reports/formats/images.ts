import { string } from '../text.ts'
import { object, objects } from './values.ts'

/** The images of a Kubernetes object that has or makes pods. */
export function toImages(manifest: unknown): string[] {
  const spec = object(object(manifest).spec)
  const job = object(object(spec.jobTemplate).spec)
  const template = object(object(job.template ?? spec.template).spec)
  return [spec, template].flatMap((pod) =>
    [pod.initContainers, pod.containers].flatMap(objects).flatMap((container) => string(container.image) ?? []),
  )
}
