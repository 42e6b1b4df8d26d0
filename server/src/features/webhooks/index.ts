import type { Feature } from '../../kernel/feature.ts'
import type { Dispatcher } from './dispatcher.ts'
import { createDispatcher, defineJobs, resumeDeliveries } from './jobs.ts'
import { webhookMigration } from './migrations.ts'
import { deliveriesOfPerson } from './personal-data.ts'
import { routes } from './routes.ts'
import { queueDeliveries, webhooks as service } from './service.ts'
import { removeDeliveries, webhookSecret } from './store.ts'

export * from './rotating-secret.ts'
export * from './signature.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    webhooks: Dispatcher
  }
}

export const webhooks: Feature = {
  name: 'webhooks',
  migrations: [webhookMigration],
  sealed: [webhookSecret.sealed],
  resources: [service],
  personalData: [deliveriesOfPerson],
  retention: [{ what: 'webhook deliveries', remove: removeDeliveries }],
  events: queueDeliveries,
  state: createDispatcher,
  jobs: defineJobs,
  prepare: resumeDeliveries,
  close: (ctx, timeout) => ctx.state.webhooks.close(timeout),
  routes,
}
