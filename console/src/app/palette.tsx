import type { Schemas } from '@parley/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Bot,
  Cpu,
  FileText,
  FlaskConical,
  Library,
  type LucideIcon,
  MessagesSquare,
  MoonStar,
  Plus,
  TextQuote,
  Wrench,
} from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { parley } from '../api/parley.ts'
import { allows, type Role } from '../api/permissions.ts'
import { conversationPath, Snippet } from '../parts/snippet.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { distinguish } from '../ui/distinct.ts'
import { hasWords } from '../ui/find-options.ts'
import { SearchList } from '../ui/search-list.tsx'
import { toTarget } from '../ui/target.ts'
import { pages } from './pages.ts'
import { isDark, setTheme } from './theme.ts'

interface Command {
  key: string
  title: string
  hint: string
  icon: LucideIcon
  /** The message that matched, for hits in conversations. */
  match?: Schemas['MessageMatch'] | undefined
  run: () => void
}

type Result = Schemas['FoundResource']

interface PaletteProps {
  role: Role
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The command palette: pages, actions, resources by name, and conversations by their messages. */
export function Palette({ open, onOpenChange, role }: PaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search or go to" bare>
      <CommandSearch role={role} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function CommandSearch({ role, onDone }: { role: Role; onDone: () => void }) {
  const [text, setText] = useState('')
  const commands = useCommands(role, useDeferredValue(text.trim()))
  return (
    <SearchList
      label="Search or go to"
      placeholder="Search everything…"
      text={text}
      onText={setText}
      rows={commands.map((command) => ({
        key: command.key,
        content: (
          <>
            <command.icon aria-hidden size={16} />
            <span className="grow clip">
              {command.title}
              {command.match && <Snippet match={command.match} />}
            </span>
            <span className="muted small">{command.hint}</span>
          </>
        ),
      }))}
      onChoose={(index) => {
        onDone()
        commands[index]?.run()
      }}
    />
  )
}

/** How results of the server's search are shown, by type. */
const kinds: Record<Result['type'], { hint: string; icon: LucideIcon; to: (result: Result) => string }> = {
  agent: { hint: 'Agent', icon: Bot, to: ({ id }) => `/agents/${id}` },
  conversation: { hint: 'Conversation', icon: MessagesSquare, to: ({ id, matches }) => conversationPath(id, matches) },
  knowledge_source: { hint: 'Source', icon: Library, to: ({ id }) => `/knowledge/${id}` },
  document: {
    hint: 'Document',
    icon: FileText,
    to: ({ id, knowledge_source_id: source }) => `/knowledge/${source}/documents/${id}`,
  },
  rag_tool: { hint: 'Answer tool', icon: Wrench, to: ({ id }) => `/tools/rag/${id}` },
  retrieval_tool: { hint: 'Search tool', icon: Wrench, to: ({ id }) => `/tools/retrieval/${id}` },
  api_tool: { hint: 'API tool', icon: Wrench, to: ({ id }) => `/tools/api/${id}` },
  prompt_template: { hint: 'Prompt', icon: TextQuote, to: ({ id }) => `/prompts/${id}` },
  model: { hint: 'Model', icon: Cpu, to: ({ id }) => `/models?model=${id}` },
  evaluation: { hint: 'Evaluation', icon: FlaskConical, to: ({ id }) => `/evaluations/${id}` },
}

function useCommands(role: Role, text: string): Command[] {
  const navigate = useNavigate()
  const goTo = (url: string) => () => {
    void navigate(toTarget(url))
  }
  const q = useSettled(text)
  const found = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => parley.search({ q, limit: 4 }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const own: Command[] = [
    ...pages
      .filter((page) => allows(role, page.may))
      .map(({ title, path, icon }) => ({ key: path, title, hint: 'Page', icon, run: goTo(path) })),
    ...pages
      .flatMap((page) => page.commands ?? [])
      .filter(({ may }) => allows(role, may))
      .map(({ title, to }) => ({ key: title, title, hint: 'Action', icon: Plus, run: goTo(to) })),
    {
      key: 'theme',
      title: isDark() ? 'Switch to light theme' : 'Switch to dark theme',
      hint: 'Action',
      icon: MoonStar,
      run: () => setTheme(isDark() ? 'light' : 'dark'),
    },
  ]
  const named = own.filter(({ title }) => hasWords(title, text))
  if (text === '') return named.slice(0, 12)
  const all = found.data ?? []
  const results = all.map((result): Command => {
    const { hint, icon, to } = kinds[result.type]
    const { id, name, matches } = result
    const note = distinguish(all.filter(({ type }) => type === result.type)).get(id)
    const run = goTo(to(result))
    return { key: id, title: name, hint: note ? `${hint}, ${note}` : hint, icon, match: matches[0], run }
  })
  return [...named.slice(0, 6), ...results]
}

/** The text once nobody has typed for a moment: the rate limit counts every request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
