import type { Caller, Context } from '../../../kernel/context.ts'
import { unknownReference } from '../../../kernel/errors.ts'
import { findBasis } from '../../conversations/hidden.ts'
import { findResponse } from './find.ts'
import { toResponse } from './response.ts'
import { followResponse, sentItems } from './service.ts'

type RawItem = Record<string, unknown>

/** An item of the input. */
export interface InputItem {
  item: RawItem
  /** It was a reference to what the agent really said or did. */
  isStored: boolean
  /** Whether it may speak for the agent and instruct it. By default that depends on the role of the caller. */
  isTrusted?: boolean
  /** The documents that the response of a reference rests on. */
  documents: string[]
}

interface StoredItems {
  output: RawItem[]
  /** The items that the client sent. */
  input: RawItem[]
  documents: string[]
}

/** The ids of items are derived from that of their response. */
const itemId = /^[a-z]+_([0-9a-z]{26})(?:_input)?_\d+$/

/** Replaces each `item_reference` by the item of an earlier response that it names: of its output, or of its input. */
export async function resolveReferences(
  ctx: Context,
  who: Caller,
  input: string | RawItem[],
  origin: string,
): Promise<InputItem[]> {
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
  const responses = new Map<string, StoredItems>()
  const resolved: InputItem[] = []
  for (const [index, item] of items.entries()) {
    if (item.type !== 'item_reference') {
      resolved.push({ item, isStored: false, documents: [] })
      continue
    }
    const id = String(item.id)
    const responseId = `resp_${itemId.exec(id)?.[1]}`
    const stored = responses.get(responseId) ?? (await findItems(ctx, who, responseId, origin))
    responses.set(responseId, stored)
    const said = stored.output.find((each) => each.id === id)
    const found =
      said ?? stored.input.find((each) => each.id === id) ?? unknownReference(`input[${index}].id`, 'item', id)
    resolved.push({ item: found, isStored: said !== undefined, documents: stored.documents })
  }
  return resolved
}

/** The items of a response as the caller sees them; none if there is no such response. */
async function findItems(ctx: Context, who: Caller, id: string, origin: string): Promise<StoredItems> {
  const response = await findResponse(ctx, who, id)
  if (!response) return { output: [], input: [], documents: [] }
  const followed = await followResponse(ctx, who, id)
  const { row } = followed.source
  const basis = await findBasis(ctx.db, who.workspace, row.conversation_id, row.id)
  return {
    output: toResponse({ ...followed, origin }).output,
    input: await sentItems(ctx, who, response),
    documents: basis.filter((each) => each.startsWith('doc_')),
  }
}
