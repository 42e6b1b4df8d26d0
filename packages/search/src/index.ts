export { openEmbeddedSearch } from './embedded/embedded-search.ts'
export * from './search-index.ts'
export { forEachYielding } from './yielding.ts'
