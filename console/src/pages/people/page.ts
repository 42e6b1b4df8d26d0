import { Users } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'People',
  group: 'Manage',
  order: 115,
  icon: Users,
  may: 'administer',
  path: '/people',
  routes: [
    { path: '/people', load: () => import('./people.tsx') },
    { path: '/people/$id', load: () => import('./person.tsx') },
  ],
}
