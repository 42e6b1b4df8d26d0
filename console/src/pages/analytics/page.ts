import { ChartLine } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Analytics',
  group: 'Observe',
  order: 90,
  icon: ChartLine,
  may: 'read-configuration',
  path: '/analytics',
  routes: [{ path: '/analytics', load: () => import('./analytics.tsx') }],
}
