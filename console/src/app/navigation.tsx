import { Link } from '@tanstack/react-router'
import { groups, pages } from './pages.ts'
import { allows, type Role } from './permissions.ts'

export function Navigation({ role, onGo }: { role: Role; onGo: () => void }) {
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
