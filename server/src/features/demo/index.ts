import type { Feature } from '../../kernel/feature.ts'

/** What is in the first workspace from the first start on; `createDemo` makes it. */
export const demo: Feature = { name: 'demo' }
