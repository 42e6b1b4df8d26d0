import { ListChecks } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Reviews',
  group: 'Observe',
  order: 72,
  icon: ListChecks,
  may: 'read-configuration',
  path: '/reviews',
  routes: [{ path: '/reviews', load: () => import('./reviews.tsx') }],
}
