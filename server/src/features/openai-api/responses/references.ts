import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem, unknownReference } from '../../../kernel/errors.ts'
import { responseOf } from './response.ts'
import { followResponse } from './service.ts'

type RawItem = Record<string, unknown>

/** An item of the input. `isStored`: it was a reference, so it is what the agent really said or did. */
export interface GivenItem {
  item: RawItem
  isStored: boolean
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
  const outputs = new Map<string, RawItem[]>()
  const resolved: GivenItem[] = []
  for (const [index, item] of items.entries()) {
    if (item.type !== 'item_reference') {
      resolved.push({ item, isStored: false })
      continue
    }
    const id = String(item.id)
    const responseId = `resp_${itemId.exec(id)?.[1]}`
    const output = outputs.get(responseId) ?? (await outputOf(ctx, who, responseId, origin))
    outputs.set(responseId, output)
    const found = output.find((each) => each.id === id) ?? unknownReference(`input[${index}].id`, 'item', id)
    resolved.push({ item: found, isStored: true })
  }
  return resolved
}

/** The output of a response as the caller sees it; empty if there is none. */
async function outputOf(ctx: Context, who: Caller, id: string, origin: string): Promise<RawItem[]> {
  try {
    return responseOf({ ...(await followResponse(ctx, who, id)), origin }).output
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return []
    throw error
  }
}
