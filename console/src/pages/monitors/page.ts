import { Gauge } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Monitors',
  group: 'Quality',
  order: 72,
  icon: Gauge,
  may: 'read-configuration',
  path: '/monitors',
  routes: [
    { path: '/monitors', load: () => import('./monitors.tsx') },
    { path: '/monitors/$id', load: () => import('./monitor.tsx') },
  ],
  commands: [{ title: 'New monitor', to: '/monitors?new=yes', may: 'write-configuration' }],
}
