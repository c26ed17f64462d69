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

export const schemas = {
  'gitlab.yml': object({ 'relt-gate': gitlabJob }),
  'azure-pipelines.yml': azure,
}
