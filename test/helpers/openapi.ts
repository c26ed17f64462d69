import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Validates values by schemas of a document, as references of it or in full. Answers with what is wrong, nothing when it fits. */
export function validatorFor(document: object): (schema: object, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, 'openapi')
  const known = new Map<string, ValidateFunction>()
  const compile = (schema: object): ValidateFunction => {
    const key = JSON.stringify(schema)
    const validate = known.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"openapi#/')))
    known.set(key, validate)
    return validate
  }
  // A large schema takes longer to write as text than most values take to validate.
  const compiled = new WeakMap<object, ValidateFunction>()
  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
