import { permissions, type Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { parley } from '../api/parley.ts'
import { useSession } from './session.ts'

export type Role = Schemas['Me']['role']

export type Permission = keyof typeof permissions

/** Decides what the console shows. The server checks every request itself. */
export const allows = (role: Role, permission: Permission): boolean =>
  (permissions[permission] as readonly Role[] | null)?.includes(role) ?? true

export function useMe() {
  const { status, workspace } = useSession()
  return useQuery({
    queryKey: ['me', workspace],
    queryFn: ({ signal }) => parley.me({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: status === 'open',
  })
}

/** Checks a permission of the caller, as in `may('administer')`. Returns false until the role is loaded. */
export function useMay(): (permission: Permission) => boolean {
  const { data } = useMe()
  return (permission) => data !== undefined && allows(data.role, permission)
}
