import type { LucideIcon } from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { Permission } from '../api/permissions.ts'

/** A page of the console. Each folder `pages/<name>/` exports one as `page` from `page.ts` and is found by a glob. */
export interface Page {
  title: string
  /** Its group in the navigation. */
  group: 'Overview' | 'Build' | 'Quality' | 'Observe' | 'Manage'
  order: number
  icon: LucideIcon
  /** The permission needed to see it. */
  may: Permission
  path: string
  routes: { path: string; load: () => Promise<{ default: FunctionComponent }> }[]
  /** Extra actions in the command palette. */
  commands?: { title: string; to: string; may: Permission }[]
}

const found = import.meta.glob<{ page: Page }>('../pages/*/page.ts', { eager: true })

export const pages: Page[] = Object.values(found)
  .map(({ page }) => page)
  .sort((one, other) => one.order - other.order)

export const groups = ['Overview', 'Build', 'Quality', 'Observe', 'Manage'] as const
