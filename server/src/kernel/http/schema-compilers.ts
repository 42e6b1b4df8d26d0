import { hash } from 'node:crypto'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { bodyValidators, parameterValidators } from './validators.ts'

/**
 * Compiles a schema when it is first used, because compiling all of them dominated the start time. Equal schemas are compiled
 * once in a process: many routes have the same parameters and errors.
 */
function lazily<Compiled>(compile: (schema: TSchema) => Compiled): (schema: TSchema) => () => Compiled {
  const compiled = new Map<string, Compiled>()
  return (schema) => {
    let own: Compiled | undefined
    return () => {
      if (own === undefined) {
        const key = hash('sha1', JSON.stringify(schema))
        own = compiled.get(key) ?? compile(schema)
        compiled.set(key, own)
      }
      return own
    }
  }
}

const bodyValidator = lazily(bodyValidators())
const parameterValidator = lazily(parameterValidators())
const serializer = lazily((schema) => fastJson.default(schema as Schema) as (response: unknown) => string)

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = httpPart === 'body' ? bodyValidator(schema) : parameterValidator(schema)
  return (input: unknown) => {
    const { errors, ...valid } = validator()(input)
    return errors ? { error: Object.assign(new Error('invalid request'), { validation: errors }) } : valid
  }
}

export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  const serialize = serializer(schema)
  return (response: unknown) => serialize()(response)
}
