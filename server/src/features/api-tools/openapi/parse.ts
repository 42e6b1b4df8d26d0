import { parseDocument } from 'yaml'
import { reason } from '../../../kernel/errors.ts'

const maxAliases = 200

/** Parses JSON or YAML. */
export function parsed(text: string): unknown {
  const trimmed = text.trimStart()
  return /^[{[]/.test(trimmed) ? (parsedJson(trimmed) ?? parsedYaml(text)) : parsedYaml(text)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parsedYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false })
    const [error] = document.errors
    if (error) throw error
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    throw new Error(`cannot be read as JSON or YAML: ${reason(error).split('\n')[0]?.slice(0, 300)}`)
  }
}
