import { FlaskConical } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Evaluations',
  group: 'Quality',
  order: 70,
  icon: FlaskConical,
  may: 'read-configuration',
  path: '/evaluations',
  routes: [
    { path: '/evaluations', load: () => import('./evaluations.tsx') },
    { path: '/evaluations/$id', load: () => import('./evaluation.tsx') },
  ],
  commands: [{ title: 'New evaluation', to: '/evaluations?new=yes', may: 'write-configuration' }],
}
