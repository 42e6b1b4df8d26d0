import { createHash } from 'node:crypto'
import { ToolNames, toToolName } from '../../../kernel/agent/tool-names.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import type { McpTool } from './connection.ts'
import type { ServerTools } from './schema.ts'

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    mcp_catalogue: CatalogueRow
  }
}

interface CatalogueRow {
  workspace_id: string
  api_tool_id: string
  /** The tools in effect, as JSON. */
  accepted: string
  accepted_version: string
  /** The tools that the server offered last, as JSON. */
  offered: string
  offered_version: string
  offered_at: string
}

export interface OfferedTool {
  name: string
  description: string
  parameters: Record<string, unknown>
  /** The server says that the tool changes nothing (`readOnlyHint`). Left out otherwise. */
  readOnly?: boolean
}

interface AcceptedTool extends OfferedTool {
  /** Its name for models, without the prefix of the server. It never changes. */
  short: string
}

/** An accepted tool that was chosen. */
export interface EffectiveTool extends AcceptedTool {
  requiresApproval: boolean
}

/** The tools of a server that are in effect, and those that it offers now. A change takes effect once it is accepted. */
export interface Catalogue {
  accepted: AcceptedTool[]
  acceptedVersion: string
  offered: OfferedTool[]
  offeredVersion: string
  offeredAt: string
}

export async function readCatalogue(db: Db, workspace: string, id: string): Promise<Catalogue | undefined> {
  const row = await db
    .selectFrom('mcp_catalogue')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('api_tool_id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      accepted: JSON.parse(row.accepted) as AcceptedTool[],
      acceptedVersion: row.accepted_version,
      offered: JSON.parse(row.offered) as OfferedTool[],
      offeredVersion: row.offered_version,
      offeredAt: row.offered_at,
    }
  )
}

/**
 * Stores what a server offers. The first offer is in effect at once; later ones wait to be accepted. A server may offer each
 * person other tools: there, tools are added to those that others were offered.
 */
export async function noteOffer(
  ctx: Context,
  workspace: string,
  { id, auth }: Pick<ApiToolRow, 'id' | 'auth'>,
  tools: McpTool[],
): Promise<Catalogue> {
  const known = await readCatalogue(ctx.db, workspace, id)
  const names = new Set(tools.map(({ name }) => name))
  const isPersonal = auth.type === 'oauth2' && auth.account !== 'workspace'
  const others = isPersonal && known ? known.offered.filter(({ name }) => !names.has(name)) : []
  const offered = [...tools.map(toOffered), ...others]
  const version = catalogueVersion(offered)
  if (known?.offeredVersion === version) return known
  const offer = { offered: JSON.stringify(offered), offered_version: version, offered_at: timestamp(ctx.now()) }
  const accepted = acceptedFrom(offered, [])
  await ctx.db
    .insertInto('mcp_catalogue')
    .values({
      workspace_id: workspace,
      api_tool_id: id,
      accepted: JSON.stringify(accepted),
      accepted_version: version,
      ...offer,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'api_tool_id']).doUpdateSet(offer))
    .execute()
  return (await readCatalogue(ctx.db, workspace, id)) as Catalogue
}

const toOffered = ({ name, description, inputSchema, readOnly }: McpTool): OfferedTool => ({
  name,
  description,
  parameters: inputSchema,
  ...(readOnly && { readOnly }),
})

/** Puts the offered tools into effect, if they are the ones that were shown. */
export async function acceptOffer(ctx: Context, who: Caller, id: string, version: string): Promise<Catalogue> {
  return inTransaction(ctx.db, async (tx) => {
    const known = await readCatalogue(tx, who.workspace, id)
    if (known?.offeredVersion !== version)
      throw new Problem('precondition_failed', 'The server has changed its tools again. Review them and accept again.')
    const accepted = acceptedFrom(known.offered, known.accepted)
    const { numUpdatedRows } = await tx
      .updateTable('mcp_catalogue')
      .set({ accepted: JSON.stringify(accepted), accepted_version: version })
      .where('workspace_id', '=', who.workspace)
      .where('api_tool_id', '=', id)
      .where('offered_version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n)
      throw new Problem('precondition_failed', 'The server has changed its tools again. Review them and accept again.')
    await ctx.audit.record(tx, who, { action: 'accept', kind: 'API tool', id, fields: ['tools'] })
    return { ...known, accepted, acceptedVersion: version }
  })
}

/** Tools keep the short names they have. */
function acceptedFrom(offered: OfferedTool[], before: AcceptedTool[]): AcceptedTool[] {
  const known = new Map(before.map(({ name, short }) => [name, short]))
  const names = new ToolNames(known.values())
  return offered.map((tool) => ({ ...tool, short: known.get(tool.name) ?? names.add(toToolName(tool.name)) }))
}

/** The tools in effect that the server still has and that were chosen, each with its own approval. */
export function toolsInEffect(
  row: Pick<ApiToolRow, 'tools' | 'requires_approval'>,
  { accepted, offered }: Catalogue,
): EffectiveTool[] {
  const existing = new Set(offered.map(({ name }) => name))
  return accepted.flatMap((tool) => {
    const { enabled, requires_approval } = toolSettings(row, tool.name, tool)
    return enabled && existing.has(tool.name) ? [{ ...tool, requiresApproval: requires_approval }] : []
  })
}

function toolSettings(
  { tools, requires_approval }: Pick<ApiToolRow, 'tools' | 'requires_approval'>,
  name: string,
  tool: OfferedTool | undefined,
) {
  const chosen = tools?.find((each) => each.name === name)
  return {
    enabled: tools === null || chosen !== undefined,
    requires_approval: chosen?.requires_approval ?? requires_approval ?? tool?.readOnly !== true,
  }
}

/** All tools of a server as the API shows them. */
export function describeCatalogue(row: ApiToolRow, catalogue: Catalogue | undefined): ServerTools {
  const accepted = new Map(catalogue?.accepted.map((tool) => [tool.name, tool]))
  const offered = new Map(catalogue?.offered.map((tool) => [tool.name, tool]))
  const names = new Set([...accepted.keys(), ...offered.keys(), ...(row.tools ?? []).map(({ name }) => name)])
  return {
    version: catalogue?.offeredVersion ?? null,
    offered_at: catalogue?.offeredAt ?? null,
    has_changes: catalogue !== undefined && catalogue.acceptedVersion !== catalogue.offeredVersion,
    tools: [...names].map((name) => {
      const [now, next] = [accepted.get(name), offered.get(name)]
      const change = compareTools(now, next)
      return {
        name,
        tool_name: now ? toToolName(`${row.name}_${now.short}`) : null,
        description: now?.description ?? null,
        parameters: now?.parameters ?? null,
        read_only: now?.readOnly ?? false,
        ...toolSettings(row, name, now ?? next),
        change,
        offered: next && change !== null ? describeOffer(next) : null,
      }
    }),
  }
}

const describeOffer = ({ description, parameters, readOnly = false }: OfferedTool) => ({
  description,
  parameters,
  read_only: readOnly,
})

function compareTools(now: OfferedTool | undefined, next: OfferedTool | undefined) {
  if (!next) return 'removed'
  if (!now) return 'added'
  return canonicalContent(now) === canonicalContent(next) ? null : 'changed'
}

const canonicalContent = ({ description, parameters, readOnly }: OfferedTool): string =>
  canonical({ description, parameters, readOnly })

/** A hash of the tools, independent of their order. */
const catalogueVersion = (tools: OfferedTool[]): string =>
  createHash('sha256').update(tools.map(canonical).sort().join('\n')).digest('hex').slice(0, 32)

/** JSON with sorted keys: servers may write them in any order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  )
