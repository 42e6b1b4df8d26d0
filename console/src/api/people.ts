import { useQuery } from '@tanstack/react-query'
import type { Option } from '../ui/option.ts'
import { useAgents, useSources, useTokens } from './lookups.ts'
import { parley } from './parley.ts'
import { useMay, useMayPreview } from './permissions.ts'

/** The people of the workspace by their names, which editors and above may read, also in a preview. */
function useNames() {
  const mayRead = useMayPreview()
  return useQuery({
    queryKey: ['users', 'names'],
    queryFn: ({ signal }) => parley.as(null).users.names({ limit: 100 }, { signal }).all(500),
    enabled: mayRead,
    staleTime: 60_000,
  })
}

/** The people of the workspace, to pick from. */
export function usePeople(): Option[] {
  const { data = [] } = useNames()
  return data.map(({ user_id: value, name }) => ({ value, label: name ? `${name} (${value})` : value }))
}

/** The groups that people, tokens, invitations and access rules name, to pick from. */
export function useGroups(): Option[] {
  const may = useMay()
  const { data: people = [] } = useNames()
  const { data: tokens = [] } = useTokens()
  const { data: agents = [] } = useAgents()
  const { data: sources = [] } = useSources()
  const { data: invitations = [] } = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => parley.invitations.list({ limit: 100 }, { signal }).all(500),
    enabled: may('administer'),
    staleTime: 60_000,
  })
  const ofPeople = [...people, ...tokens, ...invitations].flatMap(({ groups }) => groups)
  const ofAccess = [...agents, ...sources].flatMap((each) => ('access' in each && each.access?.groups) || [])
  return [...new Set([...ofPeople, ...ofAccess])]
    .sort((one, other) => one.localeCompare(other))
    .map((value) => ({ value, label: value }))
}

/** The names of the people in each group. */
export function useMembers(): ReadonlyMap<string, string[]> {
  const { data = [] } = useNames()
  const members = new Map<string, string[]>()
  for (const { name, user_id: user, groups } of data)
    for (const group of groups) members.set(group, [...(members.get(group) ?? []), name ?? user])
  return members
}

const isErased = (id: string): boolean => /^erased[:_]/.test(id)

/**
 * How a person is called: by their name, beside the user ID if others have the same name. If no name is known now, by the one
 * that was stored then, or by the user ID.
 */
export function usePersonName(): (id: string, nameThen?: string | null) => string {
  const { data = [] } = useNames()
  return (id, nameThen) => {
    if (isErased(id)) return 'Erased person'
    const name = data.find((person) => person.user_id === id)?.name
    if (!name) return nameThen ?? id
    return data.some((other) => other.name === name && other.user_id !== id) ? `${name} (${id})` : name
  }
}

/** The names of people by the id of their row. */
export function useUserNames(): ReadonlyMap<string, string> {
  const { data = [] } = useNames()
  return new Map(data.map(({ id, name, user_id: user }) => [id, name ?? user]))
}
