import type { preSerializationAsyncHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { type AuditedChange, auditStatements } from '../store/audit.ts'
import type { App, Request } from './app.ts'
import type { Permission } from './permissions.ts'

const writePermissions: readonly (Permission | undefined)[] = ['write-configuration', 'administer', 'manage-workspaces']
/** POST actions that change nothing. */
const readOnlyActions = new Set(['query', 'search', 'test', 'render', 'embeddings'])

/**
 * Adds audit entries for actions. Collections record their own changes. The entry is committed before the response is
 * sent, so a client that has the response can rely on it.
 */
export function auditActions(app: App, ctx: Context): void {
  const recordAction: preSerializationAsyncHookHandler = async (request, reply, payload) => {
    const change = reply.statusCode < 300 ? actionOf(request) : null
    if (change) await ctx.commits.commit(auditStatements(ctx, request.caller, change))
    return payload
  }
  app.addHook('onRoute', (route) => {
    // Updates are recorded by their collection; one that it did not record changed nothing.
    const isAction = route.method === 'POST' || route.method === 'DELETE'
    if (isAction && writePermissions.includes(route.config?.may)) route.preSerialization = recordAction
  })
}

function actionOf({ method, routeOptions, caller, params }: Request): AuditedChange | null {
  if (caller?.audited) return null
  const parts = (routeOptions.url ?? '').split('/').slice(2)
  const name = parts.filter((part) => !part.startsWith(':')).at(-1) ?? ''
  if (readOnlyActions.has(name)) return null
  const isNested = parts.indexOf(name) > 0
  const { id = null } = params as { id?: string }
  return { action: isNested ? nestedAction(method, name) : verbOf(method), kind: singular(parts[0] ?? ''), id }
}

const verbOf = (method: string): string => (method === 'DELETE' ? 'delete' : 'create')

/** A verb such as `sync` is the action itself; a plural such as `documents` is what is created or deleted. */
const nestedAction = (method: string, name: string): string =>
  method === 'POST' && !name.endsWith('s') ? name : `${verbOf(method)} ${singular(name)}`

const singular = (name: string): string => name.replaceAll('-', ' ').replace(/s$/, '')
