import { ShieldCheck } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Approvals',
  group: 'Overview',
  order: 15,
  icon: ShieldCheck,
  may: 'approve',
  path: '/approvals',
  routes: [{ path: '/approvals', load: () => import('./approvals.tsx') }],
}
