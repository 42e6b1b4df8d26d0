import { CalendarClock } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Schedules',
  group: 'Build',
  order: 54,
  icon: CalendarClock,
  may: 'read-configuration',
  path: '/schedules',
  routes: [
    { path: '/schedules', load: () => import('./schedules.tsx') },
    { path: '/schedules/$id', load: () => import('./schedule.tsx') },
  ],
  commands: [{ title: 'New schedule', to: '/schedules?new=yes', may: 'write-configuration' }],
}
