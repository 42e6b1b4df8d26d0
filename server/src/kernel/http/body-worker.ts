import { serve } from '@parley/threads'
import type { TSchema } from 'typebox'
import { type Detail, type ErrorCode, Problem } from '../errors.ts'
import { measureJson, parseJson, rejectOversizedJson } from './json-text.ts'
import { validationProblem } from './validation-problem.ts'
import { bodyValidators } from './validators.ts'

export interface BodyProblem {
  code: ErrorCode
  message: string
  details?: Detail[]
}

const createValidator = bodyValidators()
const validators = new Map<string, ReturnType<typeof createValidator>>()

function loadValidator(schema: string): ReturnType<typeof createValidator> {
  const validator = validators.get(schema) ?? createValidator(JSON.parse(schema) as TSchema)
  validators.set(schema, validator)
  return validator
}

const methods = {
  /** Returns the errors of a body, or null. */
  check(bytes: Uint8Array, maxValues: number, schema: string): BodyProblem | null {
    try {
      const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      rejectOversizedJson(measureJson(raw, maxValues), maxValues)
      const { errors } = loadValidator(schema)(parseJson(raw))
      return errors ? asMessage(validationProblem(errors)) : null
    } catch (error) {
      if (error instanceof Problem) return asMessage(error)
      throw error
    }
  },
}
export type BodyMethods = typeof methods

const asMessage = ({ code, message, details }: Problem): BodyProblem => ({ code, message, ...(details && { details }) })

void serve(methods)
