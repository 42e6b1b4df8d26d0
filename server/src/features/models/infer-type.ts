import { localModels } from './local.ts'
import type { Model } from './schema.ts'

const rerankers = /rerank/i
/** Names that say so, and well-known families that do not. */
const embeddings =
  /embed|minilm|\bmpnet\b|(?:^|[/:_-])(?:bge|gte|e5|gtr|voyage|sentence-t5|multi-qa|paraphrase|instructor|text-(?:similarity|search))(?:[-_]|$)/i

/** The type of a model whose creator does not say: its name usually does. */
export function inferType(modelId: string): Model['type'] {
  const local = localModels.find((each) => each.model_id === modelId)
  if (local) return local.type
  if (rerankers.test(modelId)) return 'rerank'
  return embeddings.test(modelId) ? 'embedding' : 'chat'
}
