import type { Caller, Role, Scope } from '../caller.ts'

/** Roles by permission. Every route declares one permission; the OpenAPI document publishes the table for clients. */
export const permissions = {
  /** No token needed. */
  public: null,
  /** Any token. */
  'see-status': ['viewer', 'user', 'editor', 'admin', 'owner'],
  'read-agents': ['viewer', 'user', 'editor', 'admin', 'owner'],
  /** Also tokens with the scope `mcp`. */
  'use-mcp': ['viewer', 'user', 'editor', 'admin', 'owner'],
  'read-configuration': ['viewer', 'editor', 'admin', 'owner'],
  /** Roles that may not converse see only the calls that name them as approvers. */
  approve: ['viewer', 'user', 'editor', 'admin', 'owner'],
  converse: ['user', 'editor', 'admin', 'owner'],
  'write-configuration': ['editor', 'admin', 'owner'],
  administer: ['admin', 'owner'],
  'manage-workspaces': ['owner'],
  /** Also tokens with the scope `metrics`. */
  'read-metrics': ['owner'],
} as const satisfies Record<string, readonly Role[] | null>

export type Permission = keyof typeof permissions

export function allows(permission: Permission, role: Role): boolean {
  const allowed: readonly Role[] | null = permissions[permission]
  return allowed === null || allowed.includes(role)
}

const scopePermissions: Record<Scope, Permission> = { metrics: 'read-metrics', mcp: 'use-mcp' }

/** Whether the caller's scopes, or without scopes their role, have the permission. */
export const permits = ({ role, scopes = [] }: Caller, permission: Permission): boolean =>
  scopes.length > 0 ? scopes.some((scope) => scopePermissions[scope] === permission) : allows(permission, role)

export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission] ?? []
