import type { Feature } from '../../kernel/feature.ts'
import { erasedChannel, otherDataOfPerson } from './erase.ts'
import { defineJobs } from './jobs.ts'
import { routes } from './routes.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    people: { unsubscribe(): void }
  }
}

/** Lists the people seen in a workspace, and exports or erases all data of one person. */
export const people: Feature = {
  name: 'people',
  personalData: [otherDataOfPerson],
  state: (ctx) => ({
    unsubscribe: ctx.signals.on(erasedChannel, () => {
      ctx.statistics.removeErased().catch((error) => ctx.log.warn({ err: error }, 'could not drop cached names'))
    }),
  }),
  jobs: defineJobs,
  routes,
  async close(ctx) {
    ctx.state.people.unsubscribe()
  },
}
