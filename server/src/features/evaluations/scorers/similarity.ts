import { dotProduct } from '@parley/embedding'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { tokensByLength } from '../../../kernel/llm/estimate-usage.ts'
import { billBuiltIn } from '../../models/calls.ts'
import { builtInModel } from '../../models/service.ts'
import { storeBill } from '../../usage/ledger.ts'
import { type Mark, nothingExpected, scorerKind } from './scorer.ts'

/** Embedding models read a limited length, so longer texts are embedded in parts. */
const wordsPerPart = 150
const maxParts = 40

/** Measured on pairs of answers: most paraphrases are above, other texts below. */
const defaultThreshold = 0.65

export const similarity = scorerKind({
  config: Type.Object({}, { additionalProperties: false }),
  defaultThreshold: () => defaultThreshold,
  needsExpected: () => true,
  async score(_config, { output, expected }, { ctx, who, purpose = {} }): Promise<Mark> {
    if (expected === null) return nothingExpected
    if (output.trim() === expected.trim()) return { score: 1 }
    const texts = [output, expected].map(splitWords)
    const { name, vectors } = await embed(ctx, texts.flat())
    const model = await builtInModel(ctx.db, who, name)
    await storeBill(ctx, await billBuiltIn(ctx, who, purpose, model, tokensByLength(texts.flat())), who.tab)
    const first = texts[0]?.length ?? 0
    const cosine = dotProduct(meanVector(vectors.slice(0, first)), meanVector(vectors.slice(first)))
    const score = Math.min(1, Math.max(0, cosine))
    return { score, reason: `Cosine ${cosine.toFixed(3)} by ${name}.` }
  },
})

function splitWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const parts: string[] = []
  for (let at = 0; at < words.length && parts.length < maxParts; at += wordsPerPart) {
    parts.push(words.slice(at, at + wordsPerPart).join(' '))
  }
  return parts.length === 0 ? [''] : parts
}

interface Embedded {
  name: 'all-MiniLM-L6-v2' | 'parley-static-256'
  vectors: Float32Array[]
}

async function embed({ embedding }: Context, texts: string[]): Promise<Embedded> {
  if ((await embedding.miniLm.availability()).available) {
    return { name: 'all-MiniLM-L6-v2', vectors: await embedding.miniLm.embedPassages(texts) }
  }
  const model = embedding.static()
  return { name: 'parley-static-256', vectors: texts.map((text) => model.embed(text)) }
}

/** The direction in which several vectors point together, one long. */
function meanVector(vectors: Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  const length = Math.sqrt(dotProduct(sum, sum))
  return length === 0 ? sum : sum.map((value) => value / length)
}
