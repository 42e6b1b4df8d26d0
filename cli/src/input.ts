import { readFile } from 'node:fs/promises'
import { CliError, UsageError } from './failures.ts'
import { readStdin } from './prompt.ts'
import type { Session } from './session.ts'

/** Reads JSON or YAML from a file, or from stdin for "-". */
async function readDocument({ io, path }: Pick<Session, 'io' | 'path'>, name: string): Promise<unknown> {
  const text = name === '-' ? await readStdin(io) : await readNamed(path(name), name)
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem)
    throw new CliError(`${name === '-' ? 'stdin' : name} is neither JSON nor YAML: ${problem.message.trim()}`)
  return document.toJS({ maxAliasCount: 100 })
}

/** Like `readDocument`, but fails unless the document is one object. */
export async function readObject(
  session: Pick<Session, 'io' | 'path'>,
  name: string,
): Promise<Record<string, unknown>> {
  const value = await readDocument(session, name)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new CliError(`${name === '-' ? 'stdin' : name} must have one object, such as {"name": "Support"}.`)
}

async function readNamed(file: string, name: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CliError(`There is no file ${name}.`)
    throw error
  }
}

/** Applies `field=value` or `a.b=value`. A value that is JSON is taken as JSON, other text as text. */
export function setField(body: Record<string, unknown>, assignment: string): void {
  const [, path = '', text = ''] = /^([\w.]+)=([\s\S]*)$/.exec(assignment) ?? []
  const names = path.split('.')
  const last = names.pop()
  if (!last || names.includes('') || names.includes('__proto__')) {
    throw new UsageError(`--set takes field=value, but got "${assignment}".`)
  }
  let target = body
  for (const name of names) {
    const inner = target[name]
    const next = typeof inner === 'object' && inner !== null ? { ...inner } : {}
    target[name] = next
    target = next as Record<string, unknown>
  }
  target[last] = parsed(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A number from a flag. */
export function numberFlag(
  name: string,
  text: string | undefined,
  { min = 0, integer = true } = {},
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !(value >= min) || (integer && !Number.isInteger(value))) {
    throw new UsageError(`--${name} must be a ${integer ? 'whole ' : ''}number of at least ${min}, but is "${text}".`)
  }
  return value
}

/** A secret from the environment variable that a flag names. */
export function fromEnvironment({ io }: Pick<Session, 'io'>, flag: string, name: string): string {
  const value = io.environment[name]?.trim()
  if (!value) throw new UsageError(`${flag}: the environment variable ${name} is not set.`)
  return value
}
