import { isParleyError } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import type { Named } from '../ui/distinct.ts'
import { parley } from './parley.ts'
import { useMay } from './permissions.ts'

const oneMinute = 60_000

/** All models of the workspace, for pickers and for showing names instead of ids. */
export function useModels() {
  const may = useMay()
  return useQuery({
    queryKey: ['models', 'all'],
    queryFn: ({ signal }) => parley.models.list({ limit: 100, sort: 'name', order: 'asc' }, { signal }).all(500),
    enabled: may('read-configuration'),
    staleTime: oneMinute,
  })
}

/** Whether a model has a price now. Models that were removed count as priced: nobody can enter one. */
export const isPriced = (models: readonly { id: string; pricing: unknown }[] | undefined, id: string | null): boolean =>
  models?.find((model) => model.id === id)?.pricing !== null

/** The state of the service. */
export const useStatus = () => useQuery({ queryKey: ['status'], queryFn: ({ signal }) => parley.status({ signal }) })

const listAgents = (status: 'active' | 'archived', signal: AbortSignal) =>
  parley.agents.list({ status, limit: 100, sort: 'name', order: 'asc' }, { signal }).all(500)

/** The archived ones come last: their conversations and figures are still shown. */
export function useAgents() {
  return useQuery({
    queryKey: ['agents', 'all'],
    queryFn: async ({ signal }) =>
      (await Promise.all([listAgents('active', signal), listAgents('archived', signal)])).flat(),
    staleTime: oneMinute,
  })
}

/** The agents that new conversations can be started with. */
export function useActiveAgents() {
  return useQuery({
    queryKey: ['agents', 'active'],
    queryFn: ({ signal }) => listAgents('active', signal),
    staleTime: oneMinute,
  })
}

export function useSources() {
  const may = useMay()
  return useQuery({
    queryKey: ['knowledge-sources', 'all'],
    queryFn: ({ signal }) =>
      parley.knowledgeSources.list({ limit: 100, sort: 'name', order: 'asc' }, { signal }).all(500),
    enabled: may('read-configuration'),
    staleTime: oneMinute,
  })
}

/** The monitors whose scores are below the limit of their alert. */
export function useAlertingMonitors() {
  const may = useMay()
  return useQuery({
    queryKey: ['monitors', 'alerting'],
    queryFn: async ({ signal }) => {
      const monitors = await parley.monitors.list({ limit: 100 }, { signal }).all(500)
      return monitors.filter(({ alerting }) => alerting.length > 0)
    },
    enabled: may('read-configuration'),
  })
}

/** The tokens of the workspace, without their secrets. */
export function useTokens() {
  const may = useMay()
  return useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => parley.tokens.list({ limit: 100 }, { signal }).all(500),
    enabled: may('read-configuration'),
  })
}

export type ToolChoice = Named & { kind: string }

/** All tools an agent can use. Tool types that the server does not support are left out. */
export function useTools() {
  const may = useMay()
  return useQuery({
    queryKey: ['tools', 'all'],
    queryFn: async ({ signal }): Promise<ToolChoice[]> => {
      const kinds = [
        { kind: 'Answer', list: parley.ragTools },
        { kind: 'Search', list: parley.retrievalTools },
        { kind: 'API', list: parley.apiTools },
      ]
      const found = await Promise.all(
        kinds.map(async ({ kind, list }) => {
          const rows: Named[] = await list
            .list({ limit: 100 }, { signal })
            .all(500)
            .catch((error: unknown) => (isParleyError(error, 'not_found') ? [] : Promise.reject(error)))
          return rows.map(({ id, name, description, created_at }) => ({ id, name, description, created_at, kind }))
        }),
      )
      return found.flat()
    },
    enabled: may('read-configuration'),
    staleTime: oneMinute,
  })
}

/** The agents that another one can ask or pass a conversation on to. */
export function useOtherAgents(id: string): ToolChoice[] {
  const agents = useActiveAgents().data ?? []
  return agents.filter((agent) => agent.id !== id).map((agent) => ({ ...agent, kind: 'Agent' }))
}

/** The name of an agent or a model. Their conversations and figures outlive them. */
export const nameById = (rows: readonly { id: string; name: string }[] | undefined, id: string): string =>
  rows?.find((row) => row.id === id)?.name ?? (rows ? deletedName(id) : '…')

/** Stands for the id of a resource that no longer exists. */
export const deletedName = (id: string): string =>
  ({ agt: 'Deleted agent', mdl: 'Deleted model', tok: 'Revoked token' })[id.split('_', 1)[0] ?? ''] ?? id
