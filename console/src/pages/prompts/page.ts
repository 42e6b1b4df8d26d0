import { ScrollText } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Prompts',
  group: 'Build',
  order: 40,
  icon: ScrollText,
  may: 'read-configuration',
  path: '/prompts',
  routes: [
    { path: '/prompts', load: () => import('./prompts.tsx') },
    { path: '/prompts/$id', load: () => import('./prompt.tsx') },
  ],
  commands: [{ title: 'New prompt template', to: '/prompts?new=yes', may: 'write-configuration' }],
}
