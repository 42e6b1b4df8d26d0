import type { Role } from '../caller.ts'

/** Roles by permission. Every route declares one permission; the OpenAPI document publishes the table for clients. */
export const permissions = {
  /** No token needed. */
  public: null,
  /** Any token. */
  'see-status': ['viewer', 'user', 'editor', 'admin', 'owner'],
  'read-agents': ['viewer', 'user', 'editor', 'admin', 'owner'],
  'read-configuration': ['viewer', 'editor', 'admin', 'owner'],
  /** Roles that may not converse see only the calls that name them as approvers. */
  approve: ['viewer', 'user', 'editor', 'admin', 'owner'],
  converse: ['user', 'editor', 'admin', 'owner'],
  'write-configuration': ['editor', 'admin', 'owner'],
  administer: ['admin', 'owner'],
  'manage-workspaces': ['owner'],
} as const satisfies Record<string, readonly Role[] | null>

export type Permission = keyof typeof permissions

export function allows(permission: Permission, role: Role): boolean {
  const allowed: readonly Role[] | null = permissions[permission]
  return allowed === null || allowed.includes(role)
}

export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission] ?? []
