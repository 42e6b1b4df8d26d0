export { matchesFilters } from './embedded/columns.ts'
export { openEmbeddedSearch } from './embedded/embedded-search.ts'
export { type NamedChange, StaleChange } from './postgres/changes.ts'
export { openPostgresSearch } from './postgres/postgres-search.ts'
export { SearchUnavailable } from './postgres/schema.ts'
export * from './search-index.ts'
export { forEachYielding } from './yielding.ts'

/** The module that prepares passages for the index, for a thread that cuts documents. */
export const preparationModule = new URL('./preparation.ts', import.meta.url)
