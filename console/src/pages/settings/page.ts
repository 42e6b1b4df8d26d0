import { Settings } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Settings',
  group: 'Manage',
  order: 120,
  icon: Settings,
  may: 'see-status',
  path: '/settings',
  routes: [{ path: '/settings', load: () => import('./settings.tsx') }],
  commands: [{ title: 'New access token', to: '/settings?tab=tokens&new=yes', may: 'administer' }],
}
