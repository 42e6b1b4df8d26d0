export { openEmbeddedSearch } from './embedded.ts'
export { paced } from './pace.ts'
export * from './search.ts'
