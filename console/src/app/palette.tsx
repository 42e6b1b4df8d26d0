import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bot, CornerDownLeft, type LucideIcon, MoonStar, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { parley } from '../api/parley.ts'
import { Dialog } from '../ui/dialog.tsx'
import { pages } from './pages.ts'
import { allows, type Role } from './permissions.ts'
import { isDark, setTheme } from './theme.ts'

interface Command {
  key: string
  title: string
  hint: string
  icon: LucideIcon
  run: () => void
}

interface PaletteProps {
  role: Role
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The command palette: pages, actions and agents by name. */
export function Palette({ open, onOpenChange, role }: PaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search or go to" bare>
      <CommandSearch role={role} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function CommandSearch({ role, onDone }: { role: Role; onDone: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const commands = useCommands(role, useDeferredValue(text.trim()))
  const current = Math.min(chosen, commands.length - 1)

  const run = (command: Command | undefined) => {
    if (!command) return
    onDone()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + commands.length) % Math.max(1, commands.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(commands[current])
    }
  }

  return (
    <div className="palette">
      <label className="palette-field">
        <Search aria-hidden size={17} />
        <input
          // biome-ignore lint/a11y/noAutofocus: opening the palette means typing into it
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-label="Search or go to"
          aria-activedescendant={commands[current] ? `${list}-${current}` : undefined}
          placeholder="Search pages, agents and actions…"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="palette-list" id={list} role="listbox" aria-label="Results">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={command.key}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onPointerMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            <command.icon aria-hidden size={16} />
            <span className="grow clip">{command.title}</span>
            <span className="muted small">{command.hint}</span>
            {index === current && <CornerDownLeft aria-hidden size={14} />}
          </div>
        ))}
        {commands.length === 0 && <p className="palette-none muted">No results</p>}
      </div>
    </div>
  )
}

function useCommands(role: Role, text: string): Command[] {
  const navigate = useNavigate()
  const goTo = (url: string) => () => {
    const [to = '/', search = ''] = url.split('?')
    void navigate({ to, search: Object.fromEntries(new URLSearchParams(search)) as never })
  }
  const agents = useQuery({
    queryKey: ['agents', 'palette'],
    queryFn: ({ signal }) => parley.agents.list({ limit: 100, sort: 'updated_at' }, { signal }).page(),
    staleTime: 60_000,
  })
  const all: Command[] = [
    ...pages
      .filter((page) => allows(role, page.may))
      .map(({ title, path, icon }) => ({ key: path, title, hint: 'Page', icon, run: goTo(path) })),
    ...pages
      .flatMap((page) => page.commands ?? [])
      .filter(({ may }) => allows(role, may))
      .map(({ title, to }) => ({ key: title, title, hint: 'Action', icon: Plus, run: goTo(to) })),
    ...(agents.data?.data ?? []).map(({ id, name }) => ({
      key: id,
      title: name,
      hint: 'Agent',
      icon: Bot,
      run: goTo(`/agents/${id}`),
    })),
    {
      key: 'theme',
      title: isDark() ? 'Switch to light theme' : 'Switch to dark theme',
      hint: 'Action',
      icon: MoonStar,
      run: () => setTheme(isDark() ? 'light' : 'dark'),
    },
  ]
  const words = text.toLowerCase().split(/\s+/)
  return all.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))).slice(0, 12)
}
