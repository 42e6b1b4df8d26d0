import { useMay } from '../api/permissions.ts'
import { LinkButton } from '../ui/button.tsx'
import { errorAction, type Failure } from '../ui/errors.ts'

/** How to resolve an error: a link for administrators, and for others the people to ask. */
export function ErrorAction({ failure, primary = false }: { failure: Failure; primary?: boolean }) {
  const isAdmin = useMay()('administer')
  const action = errorAction(failure)
  if (!action) return null
  if (!isAdmin) return <span>{action.otherwise}</span>
  return (
    <LinkButton
      small={!primary}
      variant={primary ? 'primary' : 'plain'}
      to={action.to}
      {...(action.search && { search: action.search })}
    >
      {action.label}
    </LinkButton>
  )
}
