export const roles = ['viewer', 'user', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const scopes = ['metrics', 'mcp'] as const
export type Scope = (typeof scopes)[number]

/** For queues in which workspaces take turns, and the people within a workspace. */
export const turnKey = ({ workspace, userId, token }: Pick<Caller, 'workspace' | 'userId' | 'token'>): string =>
  `${workspace}/${userId ?? token}`

/** The sender of a request. A token belongs to one workspace and has one role. */
export interface Caller {
  workspace: string
  role: Role
  /** The token's id, or the identity of an OIDC subject. */
  token: string
  /** If there are any, the caller may do nothing else, whatever the role. */
  scopes?: readonly Scope[]
  userId: string | null
  groups: readonly string[]
  /** An editor looks at the workspace as this person would see it. */
  seenAs?: { userId: string | null; groups: readonly string[] }
  /** The browser session of the request, if it has no bearer token. */
  session?: string
  rateLimit: number | null
  /** The name of the token. */
  name?: string | null
  /** The origin that the request was sent to, where PUBLIC_URL does not name it. */
  origin?: string
  /** The ID of the request; undefined if the service acts by itself. */
  requestId?: string
  /** The trace context of the request (W3C), if it has one. */
  traceparent?: string
  /** The revision of the workspace's configuration when the request arrived, if it was read. */
  configuration?: number
  /** Whether the audit log has an entry for this request. */
  audited?: boolean
}
