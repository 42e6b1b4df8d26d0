export { type Retrieval, retrieve, type SearchResult } from './searching.ts'
export { tidy } from './tidying.ts'
export { releaseIndex } from './uses.ts'
