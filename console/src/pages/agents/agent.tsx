import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Copy, Ellipsis, Trash2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { useForm } from '../../parts/form.ts'
import { Labels } from '../../parts/labels.tsx'
import { SideBySide } from '../../parts/side-by-side.tsx'
import { Versions } from '../../parts/versions.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { type Agent, toDraft } from './draft.ts'
import { AgentEditor } from './editor.tsx'
import { Overview } from './overview.tsx'
import { DraftPlayground, Playground } from './playground.tsx'

const back = { to: '/agents', label: 'Agents' }

export default function AgentPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const may = useMay()
  const agent = useQuery({ queryKey: ['agents', id], queryFn: ({ signal }) => parley.agents.get(id, { signal }) })
  if (agent.error) return <ErrorPanel error={agent.error} onRetry={() => void agent.refetch()} />
  if (!agent.data)
    return (
      <PageFrame title="Agent" back={back}>
        <Loading />
      </PageFrame>
    )
  return (
    <PageFrame
      wide
      title={agent.data.name}
      lead={agent.data.description}
      back={back}
      actions={may('read-configuration') && <Actions agent={agent.data} />}
    >
      <Warnings warnings={agent.data.warnings.filter(({ code }) => code === 'price_unknown')} />
      {may('write-configuration') ? (
        <Workbench key={id} agent={agent.data} />
      ) : (
        <div className={may('converse') ? 'split talk-first' : 'stack'}>
          <Overview agent={agent.data} />
          {may('converse') && (
            <div className="sticky">
              <Playground key={id} agent={agent.data} />
            </div>
          )}
        </div>
      )}
    </PageFrame>
  )
}

/** The editor and the playground, which tries the draft in the editor. */
function Workbench({ agent }: { agent: Agent }) {
  const form = useForm({
    saved: toDraft(agent),
    version: agent.version,
    invalidates: ['agents'],
    run: (_, changes) => parley.agents.update(agent.id, changes, onlyIfUnchanged(agent)),
    toast: ({ version }) => `Saved as version ${version}`,
  })
  return (
    <SideBySide
      settings={<AgentEditor key={agent.version} form={form} />}
      tryOut={<DraftPlayground agent={agent} changes={form.changes} onTried={form.showErrors} />}
      jump="Open playground"
    />
  )
}

function Actions({ agent }: { agent: Agent }) {
  const may = useMay()
  const navigate = useNavigate()
  const restore = useSave({
    invalidates: ['agents'],
    run: (version: number) => parley.agents.restore(agent.id, version),
    toast: ({ version }) => `Restored as version ${version}`,
  })
  const duplicate = useSave({
    invalidates: ['agents'],
    run: () => parley.agents.create({ ...agent, name: `${agent.name} (copy)` }),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/agents/${id}` }),
  })
  const remove = useSave({
    invalidates: ['agents', 'status'],
    run: () => parley.agents.delete(agent.id),
    toast: `${agent.name} deleted`,
    onDone: () => void navigate({ to: '/agents', ignoreBlocker: true }),
  })
  return (
    <>
      <Versions
        kind="agents"
        id={agent.id}
        current={agent.version}
        list={() => parley.agents.versions(agent.id, { limit: 100 }).all(2000)}
        mayRestore={may('write-configuration')}
        onRestore={(version) => restore.mutateAsync(version)}
      />
      <Labels
        kind="agents"
        id={agent.id}
        newest={agent.version}
        list={() => parley.agents.labels(agent.id, { limit: 100 })}
        set={(label, version, gate) =>
          parley.agents.setLabel(agent.id, label, { version, ...(gate !== undefined && { gate }) })
        }
        remove={(label) => parley.agents.deleteLabel(agent.id, label)}
        gates={async () => toOptions(await parley.evaluations.list({ target_id: agent.id, limit: 100 }).all(100))}
        lead="New conversations get the version labelled production. Without it, the newest version answers."
      />
      {may('write-configuration') && (
        <>
          <Menu label="More" trigger={null} render={<IconButton icon={Ellipsis} label="More" />}>
            <MenuItem icon={Copy} onClick={() => duplicate.mutate(undefined)}>
              Duplicate
            </MenuItem>
          </Menu>
          <Confirm
            trigger={<IconButton icon={Trash2} label="Delete agent" />}
            title={`Delete ${agent.name}?`}
            text="Its conversations are kept, but nobody can chat with it anymore."
            action="Delete agent"
            onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
          />
        </>
      )}
    </>
  )
}
