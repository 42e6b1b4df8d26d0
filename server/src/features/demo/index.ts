import type { Feature } from '../../kernel/feature.ts'

export * from './service.ts'

/** The content of the first workspace. `createDemo` creates it at the first start. */
export const demo: Feature = { name: 'demo' }
