import { type Detail, Problem } from '../errors.ts'
import type { JsonFormat, ModelMessage } from '../llm/model.ts'

/** A reply that must be JSON of a schema. */
export interface RequiredOutput {
  format: JsonFormat
  /** Parses and validates a reply. */
  check(text: string, signal: AbortSignal): Promise<CheckedOutput>
}

export interface CheckedOutput {
  /** Validation errors. Empty if the reply is valid. */
  faults: Detail[]
  /** The JSON in the reply, without a code fence around it. Empty if there is none. */
  json: string
}

const maxFaultsTold = 10

/** Asks the model to correct its reply. */
export const repairRequest = (text: string, faults: Detail[]): ModelMessage[] => [
  ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
  {
    role: 'user',
    content:
      'Your reply is not valid:\n' +
      faults
        .slice(0, maxFaultsTold)
        .map(({ path, message }) => `- ${path}: ${message}`)
        .join('\n') +
      '\nWrite the whole reply again, as JSON that follows the schema and with nothing else.',
  },
]

export function outputInvalid(faults: Detail[]): Problem {
  const [first] = faults
  const reason = first ? `${first.path}: ${first.message}` : 'it is not valid'
  const message = `The reply does not follow the schema of response_format, even after the model was asked to correct it (${reason}).`
  return new Problem('output_invalid', message, { details: faults })
}
