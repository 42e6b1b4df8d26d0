import { useMay } from '../api/permissions.ts'
import { LinkButton } from '../ui/button.tsx'
import { type Failure, wayOutOf } from '../ui/errors.ts'

/** How to resolve an error: a link for administrators, and for others the people to ask. */
export function WayOut({ failure, primary = false }: { failure: Failure; primary?: boolean }) {
  const isAdmin = useMay()('administer')
  const way = wayOutOf(failure)
  if (!way) return null
  if (!isAdmin) return <span>{way.otherwise}</span>
  return (
    <LinkButton
      small={!primary}
      variant={primary ? 'primary' : 'plain'}
      to={way.to}
      {...(way.search && { search: way.search })}
    >
      {way.label}
    </LinkButton>
  )
}
