import { type Role, useMe } from '../api/permissions.ts'

const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: read configuration and usage' },
  { value: 'user', label: 'User: chat with agents and see own conversations' },
  { value: 'editor', label: 'Editor: build agents, prompts, knowledge and tools' },
  { value: 'admin', label: 'Administrator: also manage models, tokens and webhooks' },
  { value: 'owner', label: 'Owner: full access to all workspaces' },
]

/** The roles that the caller may give to others: up to their own. */
export function useOfferedRoles() {
  const me = useMe()
  return roles.slice(0, roles.findIndex(({ value }) => value === me.data?.role) + 1)
}
