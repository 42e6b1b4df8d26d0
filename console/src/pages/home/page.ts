import { House } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Home',
  group: 'Overview',
  order: 0,
  icon: House,
  may: 'see-status',
  path: '/',
  routes: [
    { path: '/', load: () => import('./home.tsx') },
    { path: '/status', load: () => import('./status.tsx') },
  ],
}
