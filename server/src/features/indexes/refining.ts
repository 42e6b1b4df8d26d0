import { miniLmModel } from '@parley/embedding'
import type { Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import { embed, isRefinable, modelOf } from './embedder.ts'
import { forgetDescription, nameOf, stateOf } from './state.ts'
import { findIndex, type IndexRow, setIndex, usesOf } from './store.ts'
import { touchIndex } from './touch.ts'

/** Small, so that stopping is quick and queries of others come in between. */
const passagesAtOnce = 32

/** Gives every passage of an index the vector of its embedding model. It goes on where an earlier try stopped. */
export async function refine(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const { awaiting, refining, refined } = stateOf(ctx)
  awaiting.delete(id)
  if (refining.has(id)) {
    refining.set(id, true)
    return
  }
  refining.set(id, false)
  try {
    do {
      refining.set(id, false)
      await refineAll(ctx, workspace, id, signal)
    } while (refining.get(id))
  } finally {
    refining.delete(id)
    refined.set(id, (refined.get(id) ?? 0) + 1)
  }
}

async function refineAll(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const index = await findIndex(ctx.db, workspace, id)
  if (!index || !isRefinable(index)) return
  const unavailable = await whyNot(ctx, index)
  if (unavailable !== null) return note(ctx, index, unavailable)
  try {
    while (await refineSome(ctx, index, signal)) signal.throwIfAborted()
    await note(ctx, index, null)
  } catch (error) {
    if (!signal.aborted) await note(ctx, index, `The embedding model could not be used: ${reason(error)}`)
    throw error
  }
}

async function whyNot(ctx: Context, index: IndexRow): Promise<string | null> {
  if (index.model === miniLmModel.id) return (await ctx.embedding.miniLm.availability()).reason ?? null
  return (await modelOf(ctx, index)) ? null : 'The embedding model is gone or has become another.'
}

async function note(ctx: Context, index: IndexRow, message: string | null): Promise<void> {
  if (index.refine_message !== message) await setIndex(ctx.db, index, { refine_message: message })
}

/** Whether there was anything to do. */
async function refineSome(ctx: Context, index: IndexRow, signal: AbortSignal): Promise<boolean> {
  const waiting = await ctx.search.pendingChunks(nameOf(index), passagesAtOnce, index.model)
  forgetDescription(ctx, index) // what has its vector elsewhere has it now here
  const model = waiting.length > 0 && (await modelOf(ctx, index))
  if (!model) return false
  const texts = [...new Set(waiting.map(({ text }) => text))]
  const users = await usesOf(ctx.db, index)
  const toolId = users.length === 1 ? (users[0]?.tool_id ?? null) : null
  const call = { workspace: index.workspace_id, token: 'indexing', toolId, model, purpose: 'document' } as const
  const vectors = await embed(ctx, call, texts, signal)
  const byText = new Map(texts.map((text, at) => [text, vectors[at]]))
  const fine = waiting.flatMap(({ chunkId, text }) => {
    const vector = byText.get(text)
    return vector ? [{ chunkId, vector }] : []
  })
  await ctx.search.setVectors(nameOf(index), index.model, fine)
  forgetDescription(ctx, index)
  await touchIndex(ctx, index)
  return true
}
