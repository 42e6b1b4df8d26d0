import { useQuery } from '@tanstack/react-query'
import { useAgents, useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import type { Fields } from '../../parts/form.ts'
import { Choice } from '../../ui/choice.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { dateTime } from '../../ui/format.ts'
import type { Action, Draft } from './draft.ts'
import { useEvaluations } from './lookups.ts'

type ActionForm = Fields<Pick<Draft, 'action' | 'approved_tools'>>

/** The work of a run. */
export function ActionFields({ form }: { form: ActionForm }) {
  const { type } = form.draft.action
  return (
    <>
      <Choice
        label="Action"
        value={type}
        onChange={(next) => next !== type && form.change({ action: { type: next }, approved_tools: [] })}
        options={[
          { value: 'message', label: 'Send a message' },
          { value: 'sync', label: 'Sync a source' },
          { value: 'evaluation', label: 'Run an evaluation' },
        ]}
      />
      {type === 'message' && <MessageFields form={form.part('action')} />}
      {type === 'sync' && <SourceField form={form.part('action')} />}
      {type === 'evaluation' && <EvaluationField form={form.part('action')} />}
    </>
  )
}

function MessageFields({ form }: { form: Fields<Action> }) {
  const { agent_id: chosen = '', conversation_id: continued } = form.draft
  const agents = (useAgents().data ?? []).filter(({ id, status }) => status === 'active' || id === chosen)
  return (
    <>
      <div className="columns">
        <SelectField
          label="Agent"
          {...form.field('agent_id', '')}
          onChange={(agent) =>
            form.set({ type: 'message', agent_id: agent, ...(form.draft.message && { message: form.draft.message }) })
          }
          options={toOptions(agents)}
        />
        <SelectField
          label="Conversation"
          {...form.field('conversation_id', null)}
          options={[{ value: '', label: 'A new one for each run' }, ...useConversationOptions(chosen, continued)]}
        />
      </div>
      <TextArea
        label="Message"
        rows={3}
        placeholder="Summarize the tickets of yesterday."
        {...form.field('message', '')}
      />
    </>
  )
}

/** The latest conversations of an agent. */
function useConversationOptions(agent: string, continued: string | null | undefined) {
  const may = useMay()
  const { data = [] } = useQuery({
    queryKey: ['conversations', 'of-agent', agent],
    queryFn: async ({ signal }) =>
      (await parley.conversations.list({ agent_id: agent, limit: 50 }, { signal }).page()).data,
    enabled: agent !== '' && may('converse'),
  })
  const options = data.map(({ id, title, created_at: at }) => ({
    value: id,
    label: `Continue “${title || 'Untitled'}” (${dateTime(at)})`,
  }))
  const isListed = !continued || options.some(({ value }) => value === continued)
  return isListed ? options : [{ value: continued, label: `Continue ${continued}` }, ...options]
}

function SourceField({ form }: { form: Fields<Action> }) {
  const sources = useSources().data ?? []
  return (
    <SelectField
      label="Knowledge source"
      hint={sources.length === 0 && 'No sources yet. Create one first.'}
      {...form.field('knowledge_source_id', '')}
      options={toOptions(sources)}
    />
  )
}

function EvaluationField({ form }: { form: Fields<Action> }) {
  const evaluations = useEvaluations().data ?? []
  return (
    <SelectField
      label="Evaluation"
      hint={evaluations.length === 0 ? 'No evaluations yet. Create one first.' : 'The run fails if the verdict does.'}
      {...form.field('evaluation_id', '')}
      options={toOptions(evaluations)}
    />
  )
}
