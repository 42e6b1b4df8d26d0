import type { preSerializationAsyncHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { type AuditedChange, auditStatements } from '../store/audit.ts'
import type { App, Request } from './app.ts'
import type { Permission } from './permissions.ts'

const writing: readonly (Permission | undefined)[] = ['write-configuration', 'administer', 'manage-workspaces']
/** They ask for something to be done, but change nothing. */
const reading = new Set(['query', 'search', 'test', 'render', 'embeddings'])

/**
 * Notes what routes change beside the collections, which note their own changes. Before the answer goes out, so that who
 * has it can rely on the entry.
 */
export function auditActions(app: App, ctx: Context): void {
  const note: preSerializationAsyncHookHandler = async (request, reply, payload) => {
    const change = reply.statusCode < 300 ? actionOf(request) : null
    if (change) await ctx.commits.commit(auditStatements(ctx, request.caller, change))
    return payload
  }
  app.addHook('onRoute', (route) => {
    // A plain update that noted nothing changed nothing.
    const isAction = route.method === 'POST' || route.method === 'DELETE'
    if (isAction && writing.includes(route.config?.may)) route.preSerialization = note
  })
}

function actionOf({ method, routeOptions, caller, params }: Request): AuditedChange | null {
  if (caller?.audited) return null
  const parts = (routeOptions.url ?? '').split('/').slice(2)
  const name = parts.filter((part) => !part.startsWith(':')).at(-1) ?? ''
  if (reading.has(name)) return null
  const isNested = parts.indexOf(name) > 0
  const { id = null } = params as { id?: string }
  return { action: isNested ? nestedAction(method, name) : verbOf(method), kind: singular(parts[0] ?? ''), id }
}

const verbOf = (method: string): string => (method === 'DELETE' ? 'delete' : 'create')

/** `sync` is what it says; `documents` are what is made or deleted. */
const nestedAction = (method: string, name: string): string =>
  method === 'POST' && !name.endsWith('s') ? name : `${verbOf(method)} ${singular(name)}`

const singular = (name: string): string => name.replaceAll('-', ' ').replace(/s$/, '')
