import type { LucideIcon } from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { Permission } from './permissions.ts'

/**
 * A page of the console. Each lives in a folder of its own, `pages/<name>/page.ts` exporting one of these as `page`;
 * it is found there, so that adding a page changes no other file.
 */
export interface Page {
  title: string
  /** Where it stands in the navigation. */
  group: 'Overview' | 'Build' | 'Observe' | 'Manage'
  order: number
  icon: LucideIcon
  /** Who sees it. */
  may: Permission
  path: string
  routes: { path: string; load: () => Promise<{ default: FunctionComponent }> }[]
  /** What the command palette offers beside going there. */
  commands?: { title: string; to: string; may: Permission }[]
}

const found = import.meta.glob<{ page: Page }>('../pages/*/page.ts', { eager: true })

export const pages: Page[] = Object.values(found)
  .map(({ page }) => page)
  .sort((one, other) => one.order - other.order)

export const groups = ['Overview', 'Build', 'Observe', 'Manage'] as const
