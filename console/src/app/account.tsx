import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, Braces, ChevronsUpDown, Link2, LogOut, Monitor, MonitorOff, Moon, Sun } from 'lucide-react'
import { parley } from '../api/parley.ts'
import { usePersonName } from '../api/people.ts'
import { allows } from '../api/permissions.ts'
import { queries } from '../api/queries.ts'
import { switchWorkspace } from '../api/session.ts'
import { toOptions } from '../ui/distinct.ts'
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuLink } from '../ui/menu.tsx'
import { showError } from '../ui/toasts.tsx'
import { signOut } from './auth.ts'
import { setTheme, type Theme, useTheme } from './theme.ts'

const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
]

export function Account({ me }: { me: Schemas['Me'] }) {
  const theme = useTheme()
  const personName = usePersonName()
  const isOwner = allows(me.role, 'manage-workspaces')
  const workspaces = useQuery({
    queryKey: ['workspaces', 'all'],
    queryFn: () => parley.workspaces.list().all(50),
    enabled: isOwner,
    staleTime: 60_000,
  })
  const open = (id: string) => {
    switchWorkspace(id)
    queries.clear()
  }
  const leave = (options?: { everywhere: boolean }) =>
    void signOut(options).catch((error: unknown) => showError(error, 'Could not sign out'))
  const isPerson = me.token.id.startsWith('oidc:') // signed in at an identity provider, which knows the name
  const name = (isPerson ? me.token.name : me.user_id && personName(me.user_id)) ?? me.token.name ?? me.role

  return (
    <Menu
      trigger={
        <span className="account">
          <span className="avatar" aria-hidden>
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="visually-hidden">Account: </span>
          <span className="account-text">
            <strong>{name}</strong>
            <span>
              {me.workspace.name} · {me.role}
            </span>
          </span>
          <ChevronsUpDown aria-hidden size={14} />
        </span>
      }
    >
      {isOwner && (workspaces.data?.length ?? 0) > 1 && (
        <MenuChoice label="Workspace" value={me.workspace.id} onChange={open}>
          {toOptions(workspaces.data ?? [])}
        </MenuChoice>
      )}
      <MenuChoice label="Appearance" value={theme} onChange={(value) => setTheme(value as Theme)}>
        {themes}
      </MenuChoice>
      <MenuGroup>
        {allows(me.role, 'converse') && (
          <MenuLink icon={Link2} href="/settings?tab=connections">
            Connected accounts
          </MenuLink>
        )}
        <MenuLink icon={BookOpen} href="/docs">
          Documentation
        </MenuLink>
        <MenuLink icon={Braces} href="/docs/reference">
          API reference
        </MenuLink>
        <MenuItem icon={LogOut} onClick={() => leave()}>
          Sign out
        </MenuItem>
        <MenuItem icon={MonitorOff} onClick={() => leave({ everywhere: true })}>
          Sign out everywhere
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}
