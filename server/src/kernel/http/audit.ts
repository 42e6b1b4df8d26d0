import type { preSerializationAsyncHookHandler } from 'fastify'
import type { AuditedChange } from '../audit.ts'
import type { Context } from '../context.ts'
import type { App, Request } from './app.ts'
import type { Permission } from './permissions.ts'

const writePermissions: readonly (Permission | undefined)[] = ['write-configuration', 'administer', 'manage-workspaces']
/** POST actions that change nothing, here and elsewhere. Model calls of these are in the ledger. */
const readOnlyActions = new Set(['query', 'search', 'render', 'embeddings', 'available', 'try'])

/**
 * Adds audit entries for actions on the configuration that have recorded none: collections, conversations and others record
 * their own changes, in the transaction of the change. The entry is committed before the response is sent, so a client that
 * has the response can rely on it.
 */
export function auditActions(app: App, ctx: Context): void {
  const recordAction: preSerializationAsyncHookHandler = async (request, reply, payload) => {
    const change = reply.statusCode < 300 ? describeChange(request) : null
    if (change) await ctx.commits.commit(ctx.audit.statements(request.caller, change))
    return payload
  }
  app.addHook('onRoute', (route) => {
    // Updates are recorded by their collection; one that it did not record changed nothing.
    const isAction = route.method === 'POST' || route.method === 'DELETE'
    if (isAction && writePermissions.includes(route.config?.may)) route.preSerialization = recordAction
  })
}

function describeChange({ method, routeOptions, caller, params }: Request): AuditedChange | null {
  if (caller?.audited) return null
  const parts = (routeOptions.url ?? '').split('/').slice(2)
  const name = parts.filter((part) => !part.startsWith(':')).at(-1) ?? ''
  if (readOnlyActions.has(name)) return null
  const isNested = parts.indexOf(name) > 0
  const { id = null, ...others } = params as { id?: string }
  const [part = null] = Object.values<string>(others)
  return { action: isNested ? nestedAction(method, name) : toVerb(method), kind: singular(parts[0] ?? ''), id, part }
}

const toVerb = (method: string): string => (method === 'DELETE' ? 'delete' : 'create')

/** A verb such as `sync` is the action itself; a plural such as `documents` is what is created or deleted. */
const nestedAction = (method: string, name: string): string =>
  method === 'POST' && !name.endsWith('s') ? name : `${toVerb(method)} ${singular(name)}`

/** `api-tools` → `API tool` */
const singular = (name: string): string =>
  name
    .replaceAll('-', ' ')
    .replace(/s$/, '')
    .replace(/^(api|rag) /, (word) => word.toUpperCase())
