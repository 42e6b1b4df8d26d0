import { Split } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Experiments',
  group: 'Quality',
  order: 71,
  icon: Split,
  may: 'read-configuration',
  path: '/experiments',
  routes: [
    { path: '/experiments', load: () => import('./experiments.tsx') },
    { path: '/experiments/$id', load: () => import('./experiment.tsx') },
  ],
  commands: [{ title: 'New experiment', to: '/experiments?new=yes', may: 'write-configuration' }],
}
