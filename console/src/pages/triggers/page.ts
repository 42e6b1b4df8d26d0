import { Zap } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Triggers',
  group: 'Build',
  order: 56,
  icon: Zap,
  may: 'read-configuration',
  path: '/triggers',
  routes: [
    { path: '/triggers', load: () => import('./triggers.tsx') },
    { path: '/triggers/$id', load: () => import('./trigger.tsx') },
  ],
  commands: [{ title: 'New trigger', to: '/triggers?new=yes', may: 'write-configuration' }],
}
