/** Of each system, the parts that its template uses; no other key is known. */

const text = { type: 'string', minLength: 1 }
const texts = { type: 'array', items: text, minItems: 1 }

function object(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: 'object', properties, required, additionalProperties: false }
}

const variables = { type: 'object', additionalProperties: text }
const when = { enum: ['always', 'on_success', 'on_failure'] }

const gitlabJob = object({
  stage: text,
  resource_group: text,
  variables,
  cache: object({ key: text, paths: texts, when }),
  before_script: texts,
  script: texts,
  artifacts: object({ when, reports: object({ junit: text, codequality: text }) }),
})

const azureStep = {
  oneOf: [
    object({ script: text, displayName: text, env: variables, condition: text }, ['script']),
    object(
      { task: { type: 'string', pattern: '^\\w+@\\d+$' }, displayName: text, condition: text, inputs: variables },
      ['task', 'inputs'],
    ),
  ],
}

const azure = object({
  trigger: { const: 'none' },
  schedules: {
    type: 'array',
    items: object({ cron: text, displayName: text, branches: object({ include: texts }), always: { type: 'boolean' } }),
  },
  pool: object({ vmImage: text }),
  variables,
  steps: { type: 'array', items: azureStep, minItems: 1 },
})

const secret = object({ secretKeyRef: object({ name: text, key: text }) })
const env = {
  type: 'array',
  items: { oneOf: [object({ name: text, value: text }), object({ name: text, valueFrom: secret })] },
}
const metadata = object({ name: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' } })

const tekton = object({
  apiVersion: { const: 'tekton.dev/v1' },
  kind: { const: 'Task' },
  metadata,
  spec: object({
    description: text,
    params: {
      type: 'array',
      items: object(
        { name: text, description: text, type: { enum: ['string', 'array', 'object'] }, default: { type: 'string' } },
        ['name', 'type'],
      ),
    },
    workspaces: { type: 'array', items: object({ name: text, description: text }) },
    steps: {
      type: 'array',
      items: object({ name: text, image: text, workingDir: text, env, command: texts, args: texts }),
      minItems: 1,
    },
  }),
})

const yes = { const: true }
const no = { const: false }

const volume = {
  oneOf: [
    object({ name: text, persistentVolumeClaim: object({ claimName: text }) }),
    object({ name: text, configMap: object({ name: text }) }),
    object({ name: text, emptyDir: object({}) }),
  ],
}

const container = object({
  name: text,
  image: { type: 'string', pattern: '^[^:]+:[^:]+$' },
  command: texts,
  args: texts,
  env,
  securityContext: object({
    allowPrivilegeEscalation: no,
    readOnlyRootFilesystem: yes,
    capabilities: object({ drop: { const: ['ALL'] } }),
  }),
  resources: object({ requests: object({ cpu: text, memory: text }), limits: object({ memory: text }) }),
  volumeMounts: {
    type: 'array',
    items: object({ name: text, mountPath: text, readOnly: yes }, ['name', 'mountPath']),
  },
})

const podSpec = object({
  restartPolicy: { enum: ['Never', 'OnFailure'] },
  automountServiceAccountToken: no,
  securityContext: object({
    runAsNonRoot: yes,
    runAsUser: { type: 'integer', minimum: 1 },
    fsGroup: { type: 'integer', minimum: 1 },
    seccompProfile: object({ type: { const: 'RuntimeDefault' } }),
  }),
  containers: { type: 'array', items: container, minItems: 1 },
  volumes: { type: 'array', items: volume },
})

const cronJob = object({
  apiVersion: { const: 'batch/v1' },
  kind: { const: 'CronJob' },
  metadata,
  spec: object({
    schedule: { type: 'string', pattern: '^(\\S+ ){4}\\S+$' },
    timeZone: text,
    concurrencyPolicy: { enum: ['Allow', 'Forbid', 'Replace'] },
    jobTemplate: object({
      spec: object({
        backoffLimit: { type: 'integer', minimum: 0 },
        activeDeadlineSeconds: { type: 'integer', minimum: 1 },
        template: object({ spec: podSpec }),
      }),
    }),
  }),
})

export const schemas = {
  'gitlab.yml': object({ 'relt-gate': gitlabJob }),
  'azure-pipelines.yml': azure,
  'tekton.yaml': tekton,
  'cronjob.yaml': cronJob,
}
