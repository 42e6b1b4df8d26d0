export { type Retrieval, retrieve, type SearchResult } from './searching.ts'
export { tidy } from './tidying.ts'
export { defaultChunkOverlap, defaultChunkSize, type IndexView, releaseIndex, useIndex, viewOf } from './uses.ts'
