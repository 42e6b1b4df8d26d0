import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { normalizeBody } from '../schema.ts'

/**
 * Bodies are validated as they are; parameters arrive as text and are converted to the types of their schema. A
 * validator is compiled at the first request of its route, because compiling all of them dominated the start time.
 */
export function validatorCompiler(): FastifySchemaCompiler<TSchema> {
  const common = { allErrors: true, strict: false, verbose: true, allowUnionTypes: true } as const
  const strictAjv = withFormats(new Ajv(common))
  const coercingAjv = withFormats(new Ajv({ ...common, coerceTypes: true, useDefaults: true }))
  return ({ schema, httpPart }) => {
    const isBody = httpPart === 'body'
    const normalize = isBody && 'properties' in schema ? normalizeBody(schema as TObject) : (given: unknown) => given
    const numbers = isBody ? [] : numbersIn(schema)
    const fail = (validation: unknown) => ({ error: Object.assign(new Error('invalid request'), { validation }) })
    let validate: ValidateFunction | undefined
    return (given: unknown) => {
      validate ??= (isBody ? strictAjv : coercingAjv).compile(schema)
      const malformed = numbers.filter(({ name }) => !plainNumber.test((given as Record<string, string>)[name] ?? '0'))
      if (malformed.length > 0) {
        return fail(
          malformed.map(({ name, type }) => ({ keyword: 'type', instancePath: `/${name}`, params: { type } })),
        )
      }
      const value = normalize(given)
      return validate(value) ? { value } : fail(validate.errors)
    }
  }
}

/** Plain decimals only. Ajv would also convert `0x10`, `1e3` and blanks. */
const plainNumber = /^-?\d{1,20}(\.\d{1,20})?$/

function numbersIn(schema: TSchema): { name: string; type: string }[] {
  const properties = Object.entries((schema as Partial<TObject>).properties ?? {}) as [string, { type?: string }][]
  return properties.flatMap(([name, { type }]) => (type === 'integer' || type === 'number' ? [{ name, type }] : []))
}

/** Times must be convertible to UTC. Leap seconds are not. */
function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv)
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  return ajv.addFormat('date-time', (text: string) => validate(text) && !Number.isNaN(Date.parse(text)))
}

/** Serializers are compiled at the first response of their route. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: ((response: unknown) => string) | undefined
  return (response: unknown) => {
    serialize ??= fastJson.default(schema as Schema) as (response: unknown) => string
    return serialize(response)
  }
}
