import { Bot } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Agents',
  group: 'Build',
  order: 10,
  icon: Bot,
  may: 'read-agents',
  path: '/agents',
  routes: [
    { path: '/agents', load: () => import('./agents.tsx') },
    { path: '/agents/$id', load: () => import('./agent.tsx') },
  ],
  commands: [{ title: 'New agent', to: '/agents?new=yes', may: 'write-configuration' }],
}
