import { Webhook } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Webhooks',
  group: 'Manage',
  order: 110,
  icon: Webhook,
  may: 'read-configuration',
  path: '/webhooks',
  routes: [
    { path: '/webhooks', load: () => import('./webhooks.tsx') },
    { path: '/webhooks/$id', load: () => import('./webhook.tsx') },
  ],
  commands: [{ title: 'New webhook', to: '/webhooks?new=yes', may: 'administer' }],
}
