import { Masks, type MasksData } from '../../../kernel/secrets/masks.ts'

export interface McpResult {
  content: Record<string, unknown>[]
  structuredContent: unknown
  isError: boolean
}

const maxTextLength = 256 * 1024
const cutOff = '\n[The rest was cut off: the answer was too long.]'

/** The result of a tool, from JSON text, with secrets masked and long texts cut off. */
export function readResult(text: string, masks: MasksData): McpResult {
  const { content = [], structuredContent, isError } = maskedResult(JSON.parse(text), Masks.from(masks))
  const isLong = structuredContent !== undefined && JSON.stringify(structuredContent).length > maxTextLength
  let left = maxTextLength
  const cut = (value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const kept = value.slice(0, left)
    left -= kept.length
    return kept.length === value.length ? value : `${kept}${cutOff}`
  }
  const parts = content.map(({ text: own, resource, ...part }) => ({
    ...part,
    ...(own !== undefined && { text: cut(own) }),
    ...(resource !== undefined && { resource: withText(resource as Record<string, unknown>, cut) }),
  }))
  return { content: parts, structuredContent: isLong ? undefined : structuredContent, isError: isError === true }
}

export const maskedResult = (result: unknown, masks: Masks): Partial<McpResult> =>
  masks.hideIn(result) as Partial<McpResult>

const withText = (resource: Record<string, unknown>, cut: (value: unknown) => unknown) =>
  typeof resource?.text === 'string' ? { ...resource, text: cut(resource.text) } : resource
