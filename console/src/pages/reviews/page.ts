import { ListChecks } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Reviews',
  group: 'Quality',
  order: 73,
  icon: ListChecks,
  may: 'read-configuration',
  path: '/reviews',
  routes: [{ path: '/reviews', load: () => import('./reviews.tsx') }],
}
