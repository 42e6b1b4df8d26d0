import { localModels } from './local.ts'
import type { Model } from './schema.ts'

const rerankers = /rerank/i
/** Names that mention embeddings, and well-known families of embedding models whose names do not. */
const embeddings =
  /embed|minilm|\bmpnet\b|(?:^|[/:_-])(?:bge|gte|e5|gtr|voyage|sentence-t5|multi-qa|paraphrase|instructor|text-(?:similarity|search))(?:[-_]|$)/i

/** Infers the type of a model from its name, if the caller does not set it. */
export function inferType(modelId: string): Model['type'] {
  const local = localModels.find((each) => each.model_id === modelId)
  if (local) return local.type
  if (rerankers.test(modelId)) return 'rerank'
  return embeddings.test(modelId) ? 'embedding' : 'chat'
}
