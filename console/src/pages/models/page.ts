import { Cpu } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Models',
  group: 'Build',
  order: 50,
  icon: Cpu,
  may: 'read-configuration',
  path: '/models',
  routes: [{ path: '/models', load: () => import('./models.tsx') }],
  commands: [{ title: 'Connect a model', to: '/models?new=yes', may: 'administer' }],
}
