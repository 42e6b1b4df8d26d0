import { Link } from '@tanstack/react-router'
import { useWaitingApprovals } from '../api/approvals.ts'
import { allows, type Role } from '../api/permissions.ts'
import { groups, pages } from './pages.ts'

export function Navigation({ role, onGo }: { role: Role; onGo: () => void }) {
  const badges: Record<string, number> = { '/approvals': useWaitingApprovals() }
  const shown = pages.filter((page) => allows(role, page.may))
  return (
    <nav className="navigation" aria-label="Main">
      {groups.map((group) => {
        const inGroup = shown.filter((page) => page.group === group)
        if (inGroup.length === 0) return null
        return (
          <div key={group} className="navigation-group">
            {group !== 'Overview' && <h2>{group}</h2>}
            <ul>
              {inGroup.map(({ title, path, icon: Icon }) => (
                <li key={path}>
                  <Link
                    to={path}
                    activeOptions={{ exact: path === '/', includeSearch: false }}
                    activeProps={{ className: 'active', 'aria-current': 'page' }}
                    onClick={onGo}
                  >
                    <Icon aria-hidden size={16} />
                    {title}
                    <WaitingCount count={badges[path] ?? 0} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** How many things wait for the caller. */
export const WaitingCount = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <span className="waiting-count">
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> waiting</span>
    </span>
  )
