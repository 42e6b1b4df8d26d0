import { Brain } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Memories',
  group: 'Observe',
  order: 75,
  icon: Brain,
  may: 'converse',
  path: '/memories',
  routes: [{ path: '/memories', load: () => import('./memories.tsx') }],
}
