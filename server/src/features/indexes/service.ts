export { asked, type Retrieval, retrievalBy } from './retrieval.ts'
export { retrieve, type SearchResult } from './searching.ts'
export { tidy } from './tidying.ts'
export { releaseIndex } from './uses.ts'
