import type { Filters } from '@parley/search'
import type { ModelRow } from '../models/service.ts'

export interface Retrieval {
  query: string
  topK: number
  mode: 'hybrid' | 'vector' | 'keyword'
  /** All of them must hold. */
  filters: Filters[]
  threshold: number | null
  weights?: { vector: number; keyword: number } | null
  rerank?: 'none' | 'mmr' | ModelRow
  /** Whether anybody reads which words of the query a passage has. */
  explained?: boolean
}

interface Settings {
  top_k: number
  search_mode: Retrieval['mode']
  filters: Filters
  score_threshold: number | null
}

/** As a tool is set. */
export const retrievalBy = (tool: Settings, query: string): Retrieval => ({
  query,
  topK: tool.top_k,
  mode: tool.search_mode,
  filters: [tool.filters],
  threshold: tool.score_threshold,
})

interface Wishes {
  top_k?: number | null
  filters?: Filters | null
}

/** As a tool is set, with what a request wants otherwise. Whoever asks reads the reasons too. */
export const asked = (usual: Retrieval, { top_k: most, filters }: Wishes): Retrieval => ({
  ...usual,
  topK: most ?? usual.topK,
  filters: [...usual.filters, filters ?? {}],
  explained: true,
})
