import { ChartColumn } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Usage',
  group: 'Observe',
  order: 80,
  icon: ChartColumn,
  may: 'read-configuration',
  path: '/usage',
  routes: [{ path: '/usage', load: () => import('./usage.tsx') }],
}
