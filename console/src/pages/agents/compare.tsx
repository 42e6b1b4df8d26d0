import { useQuery } from '@tanstack/react-query'
import { Columns2, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { Composer } from '../../chat/composer.tsx'
import { saveDraft } from '../../chat/composer-drafts.ts'
import type { Tried } from '../../chat/try-session.ts'
import { TryThread, useTrySession } from '../../chat/try-thread.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import { ago } from '../../ui/format.ts'
import type { Option } from '../../ui/option.ts'
import { Empty } from '../../ui/states.tsx'
import type { Agent, Draft } from './draft.ts'

interface CompareProps {
  agent: Agent
  changes: Partial<Draft>
  onTried: (error: unknown) => void
  onClose: () => void
}

/** One question to two: the draft, a saved version, or the draft with another model. */
export function Compare({ agent, changes, onTried, onClose }: CompareProps) {
  const { options, suggestion } = useChoices(agent, changes)
  const [chosenFirst, setFirst] = useState('draft')
  const [chosenSecond, setSecond] = useState<string | null>(null)
  const chosen = [chosenFirst, chosenSecond ?? suggestion] as const
  const sides = [useTrySession(agent.id), useTrySession(agent.id)] as const
  const [round, setRound] = useState(0)
  const name = `compare ${agent.id}`
  const isRunning = sides.some(({ state }) => state.isRunning)
  const isEmpty = sides.every(({ state }) => state.messages.length === 0 && state.error === null)

  /** Restarts both with the last question in the composer, so that both always get the same questions. */
  const restart = () => {
    const last = sides[0].state.messages.findLast(({ role }) => role === 'user')?.content
    for (const { session } of sides) session.reset()
    if (last) saveDraft(name, last)
    setRound((now) => now + 1)
  }
  const send = async (text: string) => {
    onTried(null)
    const accepted = await Promise.all(sides.map(({ session }, at) => session.send(text, triedBy(chosen[at], changes))))
    for (const { session } of sides) if (session.snapshot().error !== null) onTried(session.snapshot().error)
    return accepted.some(Boolean)
  }
  const variantLabel = (value: string) => options.find((option) => option.value === value)?.label ?? ''
  return (
    <Dialog
      open
      full
      onOpenChange={(is) => !is && onClose()}
      title="Compare"
      description="One question, two answers, with cost and time. Nothing is stored."
    >
      <div className="compare">
        <div className="compare-sides">
          {sides.map(({ state }, at) => {
            const value = chosen[at] ?? ''
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: there are always two
              <section key={at} className="compare-side" aria-label={at === 0 ? 'First' : 'Second'}>
                <SelectField
                  label={at === 0 ? 'First' : 'Second'}
                  value={value}
                  disabled={isRunning}
                  options={options}
                  onChange={(next) => {
                    restart()
                    if (at === 0) setFirst(next)
                    else setSecond(next)
                  }}
                />
                <TryThread
                  state={state}
                  label={`Messages with ${variantLabel(value)}`}
                  empty={<Empty icon={Columns2} title={variantLabel(value)} />}
                />
              </section>
            )
          })}
        </div>
        <div className="compare-foot">
          <Composer
            key={round}
            isRunning={isRunning}
            placeholder="Ask both…"
            draft={name}
            onSend={send}
            onStop={() => {
              for (const { session } of sides) session.stop()
            }}
          />
          {!isEmpty && !isRunning && <IconButton icon={RotateCcw} label="Start again" onClick={restart} />}
        </div>
      </div>
    </Dialog>
  )
}

/** The variants to compare with, and the one selected at first: the saved version if there are changes, else another model. */
function useChoices(agent: Agent, changes: Partial<Draft>): { options: Option[]; suggestion: string } {
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  const versions = useQuery({
    queryKey: ['agents', agent.id, 'versions', agent.version],
    queryFn: async () => (await parley.agents.versions(agent.id, { limit: 100 })).data,
  })
  const isChanged = Object.keys(changes).length > 0
  const current = changes.model_id === undefined ? agent.model_id : changes.model_id
  const others = models.filter(({ id, is_default }) => (current === null ? !is_default : id !== current))
  const options: Option[] = [
    { value: 'draft', label: isChanged ? 'Draft (unsaved changes)' : 'Draft (no changes)' },
    ...toOptions(others).map(({ value, label }) => ({
      value: `model ${value}`,
      label,
      group: 'Draft with another model',
    })),
    ...(versions.data ?? []).map(({ version, created_at }) => ({
      value: `version ${version}`,
      label: version === agent.version ? `Version ${version} (saved now)` : `Version ${version}, ${ago(created_at)}`,
      group: 'Saved versions',
    })),
  ]
  const version = isChanged || agent.version === 1 ? agent.version : agent.version - 1
  const suggestion = !isChanged && others[0] ? `model ${others[0].id}` : `version ${version}`
  return { options, suggestion }
}

function triedBy(choice: string | undefined, changes: Partial<Draft>): Tried {
  const [kind, value = ''] = (choice ?? '').split(' ')
  if (kind === 'version') return { base_version: Number(value) }
  // Without fallbacks, so that the model that answers is the one that was chosen.
  return kind === 'model' ? { ...changes, model_id: value, fallback_model_ids: [] } : changes
}
