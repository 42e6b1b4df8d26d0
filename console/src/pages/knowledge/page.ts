import { BookOpen } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Knowledge',
  group: 'Build',
  order: 20,
  icon: BookOpen,
  may: 'read-configuration',
  path: '/knowledge',
  routes: [
    { path: '/knowledge', load: () => import('./sources.tsx') },
    { path: '/knowledge/passage', load: () => import('./passage.tsx') },
    { path: '/knowledge/$id', load: () => import('./source.tsx') },
    { path: '/knowledge/$id/tables/$table', load: () => import('./table.tsx') },
    { path: '/knowledge/$id/documents/$document', load: () => import('./document.tsx') },
  ],
  commands: [{ title: 'New knowledge source', to: '/knowledge?new=yes', may: 'write-configuration' }],
}
