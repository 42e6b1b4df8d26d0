import type { JsonFormat, ModelMessage } from './model.ts'

/** Adds the schema to the instructions, for models without a parameter for it. */
export function instructed(messages: ModelMessage[], { schema }: JsonFormat): ModelMessage[] {
  const text =
    'Answer with JSON only: no other text before or after it, and no code fence. The JSON must follow this JSON Schema:\n' +
    JSON.stringify(schema)
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${text}` }, ...rest]
    : [{ role: 'system', content: text }, ...messages]
}
