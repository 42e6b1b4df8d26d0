import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem, unknownReference } from '../../../kernel/errors.ts'
import { basisOf } from '../../conversations/hidden.ts'
import { toResponse } from './response.ts'
import { followResponse } from './service.ts'

type RawItem = Record<string, unknown>

/** An item of the input. */
export interface GivenItem {
  item: RawItem
  /** It was a reference, so it is what the agent really said or did. */
  isStored: boolean
  /** Whether it may speak for the agent and instruct it. By default that depends on the role of the caller. */
  isTrusted?: boolean
  /** The documents that the response of a reference rests on. */
  documents: string[]
}

interface StoredOutput {
  items: RawItem[]
  documents: string[]
}

/** The ids of output items are derived from that of their response. */
const itemId = /^[a-z]+_([0-9a-z]{26})_\d+$/

/** Replaces each `item_reference` by the item of an earlier response that it names. */
export async function resolveReferences(
  ctx: Context,
  who: Caller,
  input: string | RawItem[],
  origin: string,
): Promise<GivenItem[]> {
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
  const outputs = new Map<string, StoredOutput>()
  const resolved: GivenItem[] = []
  for (const [index, item] of items.entries()) {
    if (item.type !== 'item_reference') {
      resolved.push({ item, isStored: false, documents: [] })
      continue
    }
    const id = String(item.id)
    const responseId = `resp_${itemId.exec(id)?.[1]}`
    const output = outputs.get(responseId) ?? (await findOutput(ctx, who, responseId, origin))
    outputs.set(responseId, output)
    const found = output.items.find((each) => each.id === id) ?? unknownReference(`input[${index}].id`, 'item', id)
    resolved.push({ item: found, isStored: true, documents: output.documents })
  }
  return resolved
}

/** The output of a response as the caller sees it; empty if there is none. */
async function findOutput(ctx: Context, who: Caller, id: string, origin: string): Promise<StoredOutput> {
  try {
    const followed = await followResponse(ctx, who, id)
    const { row } = followed.source
    const basis = await basisOf(ctx.db, who.workspace, row.conversation_id, row.id)
    const documents = basis.filter((each) => each.startsWith('doc_'))
    return { items: toResponse({ ...followed, origin }).output, documents }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return { items: [], documents: [] }
    throw error
  }
}
