import type { ReplyEvent } from '../client.ts'
import { cleanLine } from '../text.ts'

export type Question = Extract<ReplyEvent, { type: 'input.required' }>

export interface Answer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

interface Field {
  type?: string
  title?: string
  description?: string
  enum?: unknown[]
  default?: unknown
}

/** Asks for each field of a form in a terminal. An empty answer takes the default, or leaves the field out. Null leaves the question to others. */
export async function fillIn(
  { message, url, schema }: Question,
  say: (line: string) => void,
  ask: (prompt: string) => Promise<string | null>,
): Promise<Answer | null> {
  say(cleanLine(message))
  if (url !== undefined) {
    say(`Open ${new URL(url).host}: ${url}`)
    return confirmed(await ask('Have you done so? y, or n to decline: '))
  }
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Field>
    required?: string[]
  }
  const go = confirmed(await ask('Answer? y, or n to decline: '))
  if (go?.action !== 'accept') return go
  const content: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties)) {
    const choices = field.enum ? ` (${field.enum.map((each) => cleanLine(String(each))).join(', ')})` : ''
    const mark = required.includes(name) ? '' : ', optional'
    const preset = field.default === undefined ? '' : ` [${cleanLine(String(field.default))}]`
    const line = await ask(`${cleanLine(field.title ?? name)}${choices}${mark}${preset}: `)
    if (line === null) return null
    const value = line.trim() === '' ? field.default : parsed(line.trim(), field)
    if (value !== undefined) content[name] = value
  }
  return { action: 'accept', content }
}

function confirmed(line: string | null): Answer | null {
  if (line === null) return null
  return /^(y|yes)?$/i.test(line.trim()) ? { action: 'accept' } : { action: 'decline' }
}

/** The service says what is wrong with a value of the wrong type. */
function parsed(text: string, { type }: Field): unknown {
  if (type === 'boolean') return /^(y|yes|true|1)$/i.test(text)
  if (type === 'number' || type === 'integer') return Number.isNaN(Number(text)) ? text : Number(text)
  return type === 'array' ? text.split(/\s*,\s*/) : text
}
