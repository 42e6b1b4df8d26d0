import { Type } from 'typebox'
import { difference } from './json.ts'
import { type Mark, type Passage, passOrFail, scorerKind } from './scorer.ts'

export const toolCalled = scorerKind({
  supports: ['agent'],
  config: Type.Object(
    {
      tool: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name or id of the tool. Default: the expected output.',
        }),
      ),
      arguments: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'Required arguments. The call may have others.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  needsExpected: ({ tool }) => tool === undefined,
  score(config, { toolCalls, expected }) {
    const tool = config.tool ?? expected?.trim()
    if (!tool) return { score: 0, reason: 'Neither the scorer nor the case says which tool is expected.' }
    const calls = toolCalls.filter(({ name, tool_id }) => name === tool || tool_id === tool)
    if (calls.length === 0) {
      const others = [...new Set(toolCalls.map(({ name }) => name))].join(', ')
      return { score: 0, reason: `The tool "${tool}" was not called${others === '' ? '' : `, but ${others}`}.` }
    }
    const differences = calls.map((call) => difference(call.arguments, config.arguments ?? {}, true, 'arguments', 0))
    return passOrFail(differences.includes(null), `No call of "${tool}" had the expected arguments: ${differences[0]}.`)
  },
})

const metadataFields = ['document_id', 'chunk_id', 'source', 'page'] as const

export const retrievalHit = scorerKind({
  supports: ['agent', 'rag_tool', 'retrieval_tool'],
  config: Type.Object(
    {
      k: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'How many results count.' }),
    },
    { additionalProperties: false },
  ),
  defaultThreshold: ({ k }) => 1 / k,
  needsExpected: () => true,
  score({ k }, { passages, expected, metadata }): Mark {
    const wanted = metadataFields.filter((field) => ['string', 'number'].includes(typeof metadata[field]))
    if (wanted.length === 0 && expected === null) {
      return { score: 0, reason: 'The case names no document, source or text that should be found.' }
    }
    const isHit = (passage: Passage): boolean =>
      wanted.length > 0
        ? wanted.every((field) => String(passage[field]) === String(metadata[field]))
        : mentions(passage, expected ?? '')
    const rank = passages.slice(0, k).findIndex(isHit) + 1
    if (rank > 0) return { score: 1 / rank, reason: `Found at rank ${rank}.` }
    return { score: 0, reason: `Not among the first ${Math.min(k, passages.length)} results.` }
  },
})

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

const mentions = (passage: Passage, expected: string): boolean =>
  [passage.document_id, passage.chunk_id, passage.source].includes(expected.trim()) ||
  normalize(passage.source) === normalize(expected) ||
  normalize(passage.content).includes(normalize(expected))
