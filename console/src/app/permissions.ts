import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { parley } from '../api/parley.ts'
import { useSession } from './session.ts'

export type Role = Schemas['Me']['role']

/** The same table as the service's own. It only decides what is shown; the service decides what happens. */
const permissions = {
  'see-status': ['viewer', 'user', 'editor', 'admin', 'owner'],
  'read-agents': ['viewer', 'user', 'editor', 'admin', 'owner'],
  'read-configuration': ['viewer', 'editor', 'admin', 'owner'],
  converse: ['user', 'editor', 'admin', 'owner'],
  'write-configuration': ['editor', 'admin', 'owner'],
  administer: ['admin', 'owner'],
  'manage-workspaces': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export const allows = (role: Role, permission: Permission): boolean =>
  (permissions[permission] as readonly Role[]).includes(role)

export function useMe() {
  const { token, workspace } = useSession()
  return useQuery({
    queryKey: ['me', token?.slice(-6), workspace],
    queryFn: ({ signal }) => parley.me({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== null,
  })
}

/** Asks what the caller may do, as in `may('administer')`. Until that is known: nothing. */
export function useMay(): (permission: Permission) => boolean {
  const { data } = useMe()
  return (permission) => data !== undefined && allows(data.role, permission)
}
