import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { bodyValidators, parameterValidators } from './validators.ts'

/** A validator is compiled at the first request of its route, because compiling all of them dominated the start time. */
export function validatorCompiler(): FastifySchemaCompiler<TSchema> {
  const bodyValidator = bodyValidators()
  const parameterValidator = parameterValidators()
  return ({ schema, httpPart }) => {
    const validate = httpPart === 'body' ? bodyValidator(schema) : parameterValidator(schema)
    return (given: unknown) => {
      const { errors, ...valid } = validate(given)
      return errors ? { error: Object.assign(new Error('invalid request'), { validation: errors }) } : valid
    }
  }
}

/** Serializers are compiled at the first response of their route. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: ((response: unknown) => string) | undefined
  return (response: unknown) => {
    serialize ??= fastJson.default(schema as Schema) as (response: unknown) => string
    return serialize(response)
  }
}
