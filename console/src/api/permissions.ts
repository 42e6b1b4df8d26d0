import { permissions, type Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { parley } from './parley.ts'
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

const reading: readonly Permission[] = ['see-status', 'read-agents', 'read-configuration']

/** Checks a permission of the caller, as in `may('administer')`. Returns false until the role is loaded. A preview is read only. */
export function useMay(): (permission: Permission) => boolean {
  const { data } = useMe()
  const { seenAs } = useSession()
  return (permission) =>
    data !== undefined && allows(data.role, permission) && (seenAs === null || reading.includes(permission))
}

/** Whether the caller may see the workspace as others do, and search it. */
export function useMayPreview(): boolean {
  const { data } = useMe()
  return data !== undefined && allows(data.role, 'write-configuration')
}
